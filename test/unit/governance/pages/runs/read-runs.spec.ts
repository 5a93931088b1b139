import {
  decidedEvent,
  requestedEvent,
  usedEvent,
} from '../../../../../src/governance/approvals/approval-events.js';
import type {
  LedgerLine,
  LedgerQuery,
  LedgerRun,
  RunPage,
  RunQuery,
} from '../../../../../src/governance/ledger/ledger-line.js';
import { findRuns, readTimeline } from '../../../../../src/governance/pages/runs/read-runs.js';
import { anEnd, aStart, TIME } from '../../../../support/a-ledger.js';
import { aDecision, anApproval } from '../../../../support/an-approval.js';
import { aCall, aScope } from '../../../../support/builders.js';

const aRun = (lastSeq: number): LedgerRun => ({
  ...{ runId: `run-${lastSeq}`, principal: 'p', agent: 'a', lastSeq, outcomes: {} },
  startedAt: TIME,
  endedAt: TIME,
});

/** A ledger that returns one page after the other. */
function paged(pages: RunPage[]) {
  const asked: RunQuery[] = [];
  const runs = async (query: RunQuery): Promise<RunPage> => {
    asked.push(query);
    return pages.shift() ?? { runs: [], older: null };
  };
  return { ledger: { runs }, asked };
}

describe('findRuns', () => {
  it('continues until the page is full', async () => {
    const { ledger, asked } = paged([
      { runs: [], older: 80 },
      { runs: [aRun(70)], older: 60 },
      { runs: [aRun(50)], older: 50 },
    ]);
    const page = await findRuns(ledger, { principal: 'p', limit: 2 }, () => 0);
    expect(page).toEqual({ runs: [aRun(70), aRun(50)], older: 50 });
    expect(asked).toEqual([
      { principal: 'p', before: undefined, limit: 2 },
      { principal: 'p', before: 80, limit: 2 },
      { principal: 'p', before: 60, limit: 1 },
    ]);
  });

  it('ends at the first line', async () => {
    const { ledger } = paged([{ runs: [aRun(3)], older: null }]);
    expect(await findRuns(ledger, { limit: 50 }, () => 0)).toEqual({ runs: [aRun(3)], older: null });
  });

  it('returns what it has after 400 ms', async () => {
    const { ledger, asked } = paged([
      { runs: [], older: 80 },
      { runs: [], older: 60 },
    ]);
    const times = [0, 399, 400];
    expect(await findRuns(ledger, { limit: 50 }, () => times.shift() ?? 0)).toEqual({ runs: [], older: 60 });
    expect(asked).toHaveLength(2);
  });
});

const linesOf = (...events: LedgerLine['event'][]): LedgerLine[] =>
  events.map((event, i) => ({
    seq: i + 1,
    time: `2026-01-01T00:00:0${i}.000Z`,
    event,
    hash: '',
    previous: '',
  }));
const read = (lines: readonly LedgerLine[]) =>
  readTimeline({ lines: async () => [...lines] }, { runId: 'run-1', after: 0, scope: null });

describe('readTimeline', () => {
  it('joins start and end of each call, in the order of their first lines', async () => {
    const refused = anEnd({ call_id: 'c', outcome: 'refused' });
    const lines = linesOf(
      aStart({ call_id: 'a' }),
      aStart({ call_id: 'b', arguments: '{"limit":1}' }),
      anEnd({ call_id: 'a' }),
      refused,
    );
    expect(await read(lines)).toMatchObject({
      principal: 'local',
      next: null,
      entries: [
        {
          id: 'a',
          argumentsText: null,
          startedAt: '2026-01-01T00:00:00.000Z',
          ended: { at: '2026-01-01T00:00:02.000Z' },
        },
        { id: 'b', argumentsText: '{"limit":1}', startedAt: '2026-01-01T00:00:01.000Z', ended: null },
        { id: 'c', startedAt: null, ended: { event: refused } },
      ],
    });
  });

  it('says where the next page begins', async () => {
    const many = Array.from({ length: 401 }, (_, i) => aStart({ call_id: `c${i}` }));
    const lines = many.map((event, i) => ({ seq: 10 + i, time: TIME, event, hash: '', previous: '' }));
    const timeline = await read(lines);
    expect(timeline?.entries).toHaveLength(400);
    expect(timeline?.next).toBe(409);
  });

  it('may have only approvals on a page', async () => {
    const timeline = await read(linesOf(usedEvent(anApproval(), aCall())));
    expect(timeline).toMatchObject({ principal: 'agent-key', entries: [{ kind: 'approval' }] });
  });

  it('has what happened to approvals, among the calls', async () => {
    const decided = { ...anApproval({ state: 'approved' }), decisions: [{ ...aDecision(), at: 0 }] };
    const lines = linesOf(
      requestedEvent(anApproval()),
      anEnd({ call_id: 'call-1', outcome: 'refused' }),
      decidedEvent(decided),
      usedEvent(decided, { ...aCall(), id: 'call-2' }),
      aStart({ call_id: 'call-2' }),
    );
    expect((await read(lines))?.entries).toMatchObject([
      { kind: 'approval', at: '2026-01-01T00:00:00.000Z', event: { type: 'approval.requested' } },
      { kind: 'call', id: 'call-1' },
      { kind: 'approval', event: { type: 'approval.decided', decided_by: 'ann', approval_id: 'approval-1' } },
      { kind: 'approval', event: { type: 'approval.used' } },
      { kind: 'call', id: 'call-2' },
    ]);
  });

  describe('within a scope', () => {
    const scope = aScope({ docTags: ['guide'] });
    const OWN = { project: 'docs', environment: 'prod', doc_tags: ['guide'], repositories: null };
    const others = (count: number) => Array.from({ length: count }, () => aStart({ call_id: 'other' }));
    /** Reads a long run as a ledger does. */
    const readWithin = (lines: readonly LedgerLine[], from = 0) =>
      readTimeline(
        {
          lines: async ({ after = 0, limit }: LedgerQuery) =>
            lines.filter(({ seq }) => seq > after).slice(0, limit),
        },
        { runId: 'run-1', after: from, scope },
      );

    it('has only the calls that are recorded within it, however late they come', async () => {
      const own = aStart({ call_id: 'own', principal: 'clerk', scope: OWN });
      const unknown = anEnd({ call_id: 'refused', outcome: 'refused' });
      const timeline = await readWithin(linesOf(...others(1_500), unknown, own));
      expect(timeline).toMatchObject({ principal: 'clerk', entries: [{ id: 'own' }], next: null });
    });

    it('goes on with the next page if the search was too long', async () => {
      const lines = linesOf(...others(20_500), aStart({ call_id: 'own', principal: 'clerk', scope: OWN }));
      const first = await readWithin(lines);
      expect(first).toMatchObject({ entries: [], next: 20_000 });
      expect(await readWithin(lines, first?.next ?? 0)).toMatchObject({
        entries: [{ id: 'own' }],
        next: null,
      });
    });

    it('is null if no line is within it', async () => {
      expect(await readWithin(linesOf(...others(3)))).toBeNull();
    });
  });

  it('is null for a run without lines', async () => {
    expect(await read([])).toBeNull();
  });
});
