import { decidedEvent } from '../../../../../src/governance/approvals/approval-events.js';
import {
  ledgerLineText,
  verificationLines,
} from '../../../../../src/governance/commands/ledger/ledger.command.js';
import type { LedgerEvent } from '../../../../../src/governance/ledger/ledger-event.js';
import { anEnd, aStart, TIME } from '../../../../support/a-ledger.js';
import { aRunEvent } from '../../../../support/a-run.js';
import { aDecision, anApproval } from '../../../../support/an-approval.js';

const text = (event: LedgerEvent): string =>
  ledgerLineText({ seq: 12, time: TIME, event, previous: '', hash: '' });

describe('ledgerLineText', () => {
  it.each<[string, LedgerEvent, string]>([
    [
      'a call that starts',
      aStart(),
      'tool.call.started      kb.search · local as default · rule reads · call call-1',
    ],
    [
      'a call that starts, with its arguments',
      aStart({ arguments: '{"query":"sail"}' }),
      'tool.call.started      kb.search · {"query":"sail"} · local as default · rule reads · call call-1',
    ],
    [
      'a call that succeeded',
      anEnd(),
      'tool.call.completed    kb.search · success · 13 ms · 203 tokens · local as default · rule reads · call call-1',
    ],
    [
      'a call that was refused',
      anEnd({ outcome: 'refused', executed: false, error_code: 'SCOPE_VIOLATION', rule: null }),
      'tool.call.completed    kb.search · refused · SCOPE_VIOLATION · not executed · 13 ms · 203 tokens · local as default · call call-1',
    ],
    [
      'a call that waits for approval',
      anEnd({
        ...{ outcome: 'refused', executed: false, error_code: 'SCOPE_VIOLATION' },
        ...{ reason: 'approval_required', approval_id: 'a1' },
      }),
      'tool.call.completed    kb.search · refused · SCOPE_VIOLATION · approval_required · not executed · 13 ms · 203 tokens · approval a1 · local as default · rule reads · call call-1',
    ],
    [
      'a decision under another name',
      {
        ...decidedEvent(
          anApproval({ state: 'approved', decisions: [{ ...aDecision({ osUser: 'root' }), at: 0 }] }),
        ),
        call_id: 'call-1',
      },
      'approval.decided       kb.search · approval approval-1 · approved by ann (command, run by root) · agent-key as support · rule search-needs-approval · call call-1',
    ],
    [
      'the end of a run',
      aRunEvent(5, { type: 'run.completed', data: '{"files":17}' }),
      'run.completed          event 5 · {"files":17} · local as default · rule runs · call call-1',
    ],
    [
      'a step of a run',
      { ...aRunEvent(3), type: 'run.step', step: 'read', step_event: 'complete', success: true },
      'run.step               event 3 · read complete · succeeded · local as default · rule runs · call call-1',
    ],
    [
      'a checkpoint of a run',
      { ...aRunEvent(4), type: 'run.checkpoint', checkpoint_version: 1, bytes: 20 },
      'run.checkpoint         event 4 · version 1 · 20 bytes · local as default · rule runs · call call-1',
    ],
    [
      'a checkpoint',
      { type: 'checkpoint', removed_through: 11, hash: '' },
      'checkpoint             lines up to 11 were removed',
    ],
    [
      'a change of the configuration',
      { type: 'configuration.changed', what: 'governance.yaml', before: null, after: 'abc' },
      'configuration.changed  governance.yaml · none → abc',
    ],
    [
      'accepted tools',
      {
        type: 'configuration.changed',
        what: 'providers.files',
        before: 'abc',
        after: 'def',
        decided_by: 'ann',
      },
      'configuration.changed  providers.files · abc → def · by ann',
    ],
  ])('shows %s', (_, event, expected) => {
    expect(text(event)).toBe(`     12  ${TIME}  ${expected}`);
  });

  it('shows control characters of callers as �', () => {
    expect(text(aStart({ tool: 'a\u001b[2J\nb' }))).toContain('a�[2J�b');
  });
});

describe('verificationLines', () => {
  it('names the first bad line', () => {
    const result = {
      isIntact: false,
      lines: 1,
      badSeq: 2,
      damage: 'missing',
      message: 'Missing: line 2.',
    } as const;
    expect(verificationLines(result, 'a.sqlite')).toEqual([
      'The ledger at a.sqlite is NOT intact.',
      'First bad line: 2. Missing: line 2.',
      '1 line before it is intact.',
      expect.stringMatching(/^Next: keep the ledger for analysis, and compare it with a backup/),
    ]);
  });

  it.each([
    ['other_secret', 'set PITH_SECRET'],
    ['mark', 'check that the mark belongs to this ledger'],
  ] as const)('says what to do next: %s', (damage, step) => {
    const result = { isIntact: false, lines: 0, badSeq: 1, damage, message: 'm' } as const;
    expect(verificationLines(result, 'a.sqlite').at(-1)).toContain(step);
  });

  it('gives a mark to note', () => {
    const result = { isIntact: true, lines: 3, first: 4, head: { seq: 6, hash: 'abc' } } as const;
    expect(verificationLines(result, 'a.sqlite')[1]).toBe('Mark: 6:abc');
  });
});
