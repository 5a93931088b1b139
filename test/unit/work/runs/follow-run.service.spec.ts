import type { Ledger } from '../../../../src/governance/ledger/ledger.js';
import { FollowRunService } from '../../../../src/work/runs/follow-run.service.js';
import type { RunStore } from '../../../../src/work/runs/run-store.js';
import { anEnd, TIME } from '../../../support/a-ledger.js';
import { aRun } from '../../../support/a-run.js';
import { aCall } from '../../../support/builders.js';

const SCOPE = { project: 'docs', environment: 'prod', doc_tags: null, repositories: null };
const LINES = [
  anEnd({ scope: SCOPE }),
  anEnd({ scope: { ...SCOPE, doc_tags: ['hr'] } }),
  anEnd({ scope: { ...SCOPE, groups: ['hr'] } }),
].map((event, i) => ({ seq: i + 1, time: TIME, event, previous: '', hash: '' }));

/** The lines of its run that a caller with these groups sees. */
async function seenWith(groups: readonly string[] | null): Promise<readonly number[]> {
  const call = aCall();
  const store: Partial<RunStore> = { get: () => Promise.resolve(aRun({ principal: call.caller.principal })) };
  const ledger: Partial<Ledger> = { lines: () => Promise.resolve(LINES) };
  const service = new FollowRunService(store as RunStore, ledger as Ledger, null);
  const caller = { ...call.caller, scopeLimit: { groups } };
  const query = { runId: 'r1', since: 0, types: null, limit: 10, waitMs: 0 };
  const { output } = await service.events({ ...call, caller }, query);
  return output.events.map(({ sequence }) => sequence);
}

describe('FollowRunService', () => {
  it('shows all lines of a run to its owner, as far as it still has their groups', async () => {
    expect(await seenWith(null)).toEqual([1, 2, 3]);
    expect(await seenWith(['eng', 'hr'])).toEqual([1, 2, 3]);
    expect(await seenWith(['eng'])).toEqual([1, 2]);
  });
});
