import { decidedEvent } from '../../../../src/governance/approvals/approval-events.js';
import { decideApproval } from '../../../../src/governance/approvals/decide-approval.js';
import { eventText, readEvent } from '../../../../src/governance/ledger/event-text.js';
import { anEnd, aStart } from '../../../support/a-ledger.js';
import { aRunEvent } from '../../../support/a-run.js';
import { aDecision, anApproval, REQUESTED_AT } from '../../../support/an-approval.js';

const refs = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ type: 'section' as const, id: `${i}` }));

describe('eventText', () => {
  it('is read back as the event', () => {
    expect(readEvent(eventText(aStart()))).toEqual(aStart());
  });

  it('reads events of approvals', () => {
    const decided = decidedEvent(decideApproval(anApproval(), { ...aDecision(), at: REQUESTED_AT }));
    expect(readEvent(eventText(decided))).toEqual(decided);
    expect(decided).toMatchObject({
      decided_by: 'ann',
      verdict: 'approved',
      via: 'command',
      state: 'approved',
    });
  });

  it('keeps 100 refs and counts the others', () => {
    expect(readEvent(eventText(anEnd({ refs: refs(103) })))).toEqual(
      anEnd({ refs: refs(100), refs_omitted: 3 }),
    );
    expect(readEvent(eventText(anEnd({ refs: refs(100) })))).toEqual(anEnd({ refs: refs(100) }));
  });

  it('keeps recorded arguments whole, which have their own limit', () => {
    const event = aStart({ arguments: `{"query":"${'x'.repeat(2_000)}"}` });
    expect(readEvent(eventText(event))).toEqual(event);
  });

  it('keeps recorded data of a run whole, which has its own limit', () => {
    const event = aRunEvent(1, { data: `{"text":"${'x'.repeat(2_000)}"}` });
    expect(readEvent(eventText(event))).toEqual(event);
  });

  it('clips long texts', () => {
    const event = aStart({
      tool: 'x'.repeat(10_000),
      scope: { project: 'y'.repeat(10_000), environment: 'prod', doc_tags: null, repositories: null },
    });
    expect(eventText(event).length).toBeLessThan(2_000);
  });

  it.each([['\u0000'], ['\ud800'], ['\u202e'], ['"}],"x":[{"'], ["'); DROP TABLE line; --"]])(
    'stores %j as text',
    (text) => {
      expect(readEvent(eventText(aStart({ tool: text })))).toEqual(aStart({ tool: text }));
    },
  );
});

describe('readEvent', () => {
  it.each([['{'], ['null'], ['5'], ['[]'], ['{}'], ['{"type":5}'], ['{"type":"another"}']])(
    'does not read %s',
    (text) => {
      expect(readEvent(text)).toBeNull();
    },
  );
});
