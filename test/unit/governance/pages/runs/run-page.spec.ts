import { decidedEvent } from '../../../../../src/governance/approvals/approval-events.js';
import type { RunEntry } from '../../../../../src/governance/pages/runs/read-runs.js';
import { runPage } from '../../../../../src/governance/pages/runs/runs.controller.js';
import { anEnd, TIME } from '../../../../support/a-ledger.js';
import { aRunEvent } from '../../../../support/a-run.js';
import { FRAME } from '../../../../support/admin-parts.js';
import { aDecision, anApproval } from '../../../../support/an-approval.js';

const shown = (...entries: RunEntry[]): string =>
  runPage({ runId: 'run-1', principal: 'p', entries, next: null }, { id: 'run-1', after: 0 }, FRAME)
    .replace(/\s+/g, ' ')
    .replace(/<\/?bdi[^>]*>/g, '');

const ended = (overrides: Parameters<typeof anEnd>[0]): RunEntry => ({
  ...{ kind: 'call', id: 'call-1', tool: 'kb.search', agent: 'a', rule: 'r', effect: 'approve' },
  ...{ argumentsText: null, startedAt: null },
  ended: { at: TIME, event: anEnd(overrides) },
});

const decided = (state: 'approved' | 'pending'): RunEntry => ({
  kind: 'approval',
  at: TIME,
  event: decidedEvent(anApproval({ state, decisions: [{ ...aDecision({ via: 'admin' }), at: 0 }] })),
});

describe('runPage', () => {
  it('says that a call waits, and links the approval that it waits for', () => {
    const reason = 'approval_required';
    const page = shown(
      ended({ outcome: 'refused', error_code: 'SCOPE_VIOLATION', reason, approval_id: 'a1' }),
    );
    expect(page).toContain('waiting for approval');
    expect(page).not.toContain('SCOPE_VIOLATION');
    expect(page).toContain('<a href="/admin/approvals/a1">a1</a>');
  });

  it.each([
    ['approved', 'approved by ann (admin)'],
    ['pending', 'approved by ann (admin); needs another approval'],
  ] as const)('says who decided about an approval that is then %s', (state, words) => {
    const page = shown(decided(state));
    expect(page).toContain(`${words}<`);
    expect(page).toContain('<a href="/admin/approvals/approval-1">approval-1</a>');
  });

  it('shows what a run is, where it stands, and its steps', () => {
    const page = shown(
      {
        kind: 'mark',
        at: TIME,
        event: { ...aRunEvent(1), type: 'run.created', run_type: 'update', name: 'Nightly' },
      },
      {
        kind: 'mark',
        at: TIME,
        event: { ...aRunEvent(2), type: 'run.step', step: 'read', step_event: 'start' },
      },
      { kind: 'mark', at: TIME, event: aRunEvent(3, { type: 'run.completed', data: '{"files":17}' }) },
    );
    expect(page).toContain('<dt>Type</dt> <dd>update</dd>');
    expect(page).toContain('<dt>Name</dt> <dd>Nightly</dd>');
    expect(page).toContain('<dt>Status</dt> <dd>completed</dd>');
    expect(page).toContain('step read: start');
    expect(page).toContain('{&quot;files&quot;:17}');
  });

  it('has no column of approvals for a run without them', () => {
    expect(shown(ended({}))).not.toContain('Approval</th>');
  });
});
