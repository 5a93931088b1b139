import { CallRuns } from '../../../../src/governance/ledger/call-ledger.js';
import type { LedgerQuery } from '../../../../src/governance/ledger/ledger-line.js';
import { aStart } from '../../../support/a-ledger.js';
import { aCall } from '../../../support/builders.js';

const created = (number: number): string => `run_${number.toString(16).padStart(32, '0')}`;

/** A ledger with the first lines of some runs, and the runs that were asked for. */
function aLedger(owners: Readonly<Record<string, string>>) {
  const asked: unknown[] = [];
  const lines = async ({ runId = '' }: LedgerQuery) => {
    asked.push(runId);
    const principal = owners[runId];
    if (principal === undefined) return [];
    const event = aStart({ run_id: runId, principal });
    return [{ event, seq: 1, hash: '', previous: '', time: '' }];
  };
  return { asked, runs: new CallRuns({ lines }) };
}

const by = (principal: string) => aCall({ caller: { principal } }).caller;
const named = (run: string) => ({ 'pith/run_id': run });

describe('CallRuns', () => {
  it.each([
    ['no run', undefined, 'session:session'],
    ['a run', named('nightly'), 'nightly@ann'],
    ['the run of a session', named('session:other'), 'session:session'],
    ['a name that looks like that of another', named('nightly@ben'), 'session:session'],
    ['a run that it has created', named(created(1)), created(1)],
    ['a run that another principal has created', named(created(2)), `${created(2)}@ann`],
    ['a run that nobody has created', named(created(3)), `${created(3)}@ann`],
  ])('records a principal that names %s', async (_, meta, run) => {
    const { runs } = aLedger({ [created(1)]: 'ann', [created(2)]: 'ben' });
    expect(await runs.runOf(by('ann'), meta)).toBe(run);
  });

  it('records the bare name for the user of a local process', async () => {
    const { runs } = aLedger({ [created(1)]: 'ann' });
    expect(await runs.runOf(by('local'), named('nightly'))).toBe('nightly');
    expect(await runs.runOf(by('local'), named(created(1)))).toBe(`${created(1)}@local`);
  });

  it('asks the ledger for created runs only, once each until 10,000 others were named', async () => {
    const ids = Array.from({ length: 10_001 }, (_, i) => created(i));
    const { runs, asked } = aLedger(Object.fromEntries(ids.map((id) => [id, 'ann'])));
    await runs.runOf(by('ann'), named('nightly'));
    for (const id of [...ids.slice(0, 10_000), created(0), ...ids.slice(10_000), created(0)])
      await runs.runOf(by('ann'), named(id));
    expect(asked).toEqual([...ids, created(0)]);
  });

  it('asks again about a run that was not created yet', async () => {
    const owners: Record<string, string> = {};
    const { runs } = aLedger(owners);
    expect(await runs.runOf(by('ann'), named(created(1)))).toBe(`${created(1)}@ann`);
    owners[created(1)] = 'ann';
    expect(await runs.runOf(by('ann'), named(created(1)))).toBe(created(1));
  });
});
