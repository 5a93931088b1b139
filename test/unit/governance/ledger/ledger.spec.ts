import { BackendUnavailableError } from '../../../../src/core/errors.js';
import { readEvent } from '../../../../src/governance/ledger/event-text.js';
import { Ledger } from '../../../../src/governance/ledger/ledger.js';
import type { LedgerEntry } from '../../../../src/governance/ledger/ledger-chain.js';
import type { LedgerStore } from '../../../../src/governance/ledger/store/ledger-store.js';
import { aStart, startsOf } from '../../../support/a-ledger.js';

const DURABLE = { durable: true };
const BATCHED = { durable: false };

const unavailable = (reason: string) => new BackendUnavailableError('no', { reason, hint: '' });

interface Written {
  readonly calls: readonly string[];
  readonly isDurable: boolean;
}

const callOf = ({ event: text }: LedgerEntry): string => {
  const event = readEvent(text);
  return event && 'call_id' in event ? event.call_id : '';
};

/** A ledger whose file fails as often as there are failures, and then works. */
function aLedgerOn(failures: unknown[] = [], now: () => number = () => 0) {
  const written: Written[] = [];
  const times: string[] = [];
  const reported: unknown[] = [];
  const store: LedgerStore = {
    append: async (entries, isDurable) => {
      await Promise.resolve();
      const failure = failures.shift();
      if (failure) throw failure;
      times.push(...entries.map(({ time }) => time));
      written.push({ calls: entries.map(callOf), isDurable });
    },
    head: async () => null,
    lines: async () => [],
    runs: async () => ({ runs: [], older: null }),
    remove: async () => 0,
    verify: async () => ({ isIntact: true, lines: 0, first: null, head: null }),
    close: async () => undefined,
  };
  const ledger = new Ledger(store, { now, onFailure: (error) => reported.push(error) });
  return { ledger, written, times, reported };
}

const call = (call_id: string) => [aStart({ call_id })];

describe('Ledger', () => {
  it('writes durable events at once, together with the batched ones before them', async () => {
    const { ledger, written } = aLedgerOn();
    await ledger.append(call('a'), BATCHED);
    await ledger.append(call('b'), DURABLE);
    expect(written).toEqual([{ calls: ['a', 'b'], isDurable: true }]);
  });

  it('writes what comes while it writes in the next transaction', async () => {
    const { ledger, written } = aLedgerOn();
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => ledger.append(call(id), DURABLE)));
    expect(written.map(({ calls }) => calls)).toEqual([['a'], ['b', 'c', 'd']]);
  });

  it('gives lines the time at which they were appended', async () => {
    let second = 0;
    const { ledger, times } = aLedgerOn([], () => 1_000 * second++);
    await ledger.append(call('a'), BATCHED);
    await ledger.append(call('b'), BATCHED);
    await ledger.flush();
    expect(times).toEqual(['1970-01-01T00:00:00.000Z', '1970-01-01T00:00:01.000Z']);
  });

  it('does not write batched events durably', async () => {
    const { ledger, written } = aLedgerOn();
    await ledger.append(call('a'), BATCHED);
    await ledger.flush();
    expect(written).toEqual([{ calls: ['a'], isDurable: false }]);
  });

  it('writes at most 2,000 events in one transaction, and events appended together in one', async () => {
    const { ledger, written } = aLedgerOn();
    await ledger.append(startsOf(1_500), BATCHED);
    await ledger.append(startsOf(1_000), BATCHED);
    await ledger.append(startsOf(2_500), DURABLE);
    expect(written.map(({ calls }) => calls.length)).toEqual([1_500, 1_000, 2_500]);
  });

  it('waits for other processes', async () => {
    const { ledger, written, reported } = aLedgerOn([unavailable('ledger_busy'), unavailable('ledger_busy')]);
    await ledger.append(call('a'), DURABLE);
    expect(written).toHaveLength(1);
    expect(reported).toEqual([]);
  });

  it('refuses durable events that were not written, and keeps batched ones in order', async () => {
    const full = unavailable('ledger_not_writable');
    const { ledger, written, reported } = aLedgerOn([full]);
    await ledger.append(call('a'), BATCHED);
    await expect(ledger.append(call('b'), DURABLE)).rejects.toBe(full);
    await ledger.append(call('c'), BATCHED);
    await ledger.append(call('d'), DURABLE);
    expect(written.map(({ calls }) => calls)).toEqual([['a', 'c', 'd']]);
    expect(reported).toEqual([full]);
  });

  it('reports a failure once, until writing succeeds again', async () => {
    const full = unavailable('ledger_not_writable');
    const { ledger, reported } = aLedgerOn([full, full, null, full]);
    await ledger.append(call('a'), BATCHED);
    await expect(ledger.flush()).rejects.toBe(full);
    await expect(ledger.flush()).rejects.toBe(full);
    await ledger.flush();
    await ledger.append(call('b'), BATCHED);
    await expect(ledger.flush()).rejects.toBe(full);
    expect(reported).toEqual([full, full]);
  });

  it('takes at most 20,000 batched events while the file fails', async () => {
    const full = unavailable('ledger_not_writable');
    const { ledger } = aLedgerOn([full]);
    await ledger.append(startsOf(19_999), BATCHED);
    await expect(ledger.append(startsOf(2), BATCHED)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
    await expect(ledger.append(startsOf(1), BATCHED)).resolves.toBeUndefined();
  });

  it('refuses durable events behind many batched ones, and does not try without a pause', async () => {
    const failures = Array(1_000).fill(unavailable('ledger_not_writable'));
    const { ledger, written } = aLedgerOn(failures);
    await ledger.append(startsOf(1_500), BATCHED);
    await ledger.append(startsOf(1_500), BATCHED);
    await expect(ledger.append(call('a'), DURABLE)).rejects.toMatchObject({ reason: 'ledger_not_writable' });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(failures.length).toBeGreaterThan(995);
    failures.length = 0;
    await ledger.append(call('b'), DURABLE);
    expect(written.flatMap(({ calls }) => calls)).toHaveLength(3_001);
  });

  it('does not report a durable failure, which its caller gets', async () => {
    const full = unavailable('ledger_not_writable');
    const { ledger, reported } = aLedgerOn([full, full]);
    await expect(ledger.append(call('a'), DURABLE)).rejects.toBe(full);
    expect(reported).toEqual([]);
    await ledger.append(call('b'), BATCHED);
    await expect(ledger.flush()).rejects.toBe(full);
    expect(reported).toEqual([full]);
  });

  it('writes everything that waits when it is flushed or closed', async () => {
    const { ledger, written } = aLedgerOn();
    await ledger.append(startsOf(1_500), BATCHED);
    await ledger.append(startsOf(1_500), BATCHED);
    await ledger.flush();
    expect(written.map(({ calls }) => calls.length)).toEqual([1_500, 1_500]);
    for (let i = 0; i < 5; i++) await ledger.append(startsOf(1_000), BATCHED);
    await ledger.close();
    expect(written.flatMap(({ calls }) => calls)).toHaveLength(8_000);
  });

  it('says how many lines are lost when it closes while the file fails', async () => {
    const { ledger, reported } = aLedgerOn(Array(9).fill(unavailable('ledger_not_writable')));
    await ledger.append(startsOf(1_500), BATCHED);
    await ledger.append(startsOf(1_500), BATCHED);
    await ledger.close();
    expect(reported.map(String)).toEqual([
      'no',
      'The ledger was closed before 3000 lines could be written. Make the ledger writable before the server starts again.',
    ]);
  });

  it('reports lines that could not be written when it closes', async () => {
    const full = unavailable('ledger_not_writable');
    const { ledger, reported } = aLedgerOn([full]);
    await ledger.append(call('a'), BATCHED);
    await ledger.close();
    expect(reported).toContain(full);
  });
});
