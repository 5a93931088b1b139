import { Logger } from '@nestjs/common';
import { parseConfig } from '../../../../src/config/config.js';
import { BackendUnavailableError } from '../../../../src/core/errors.js';
import { CallLedger } from '../../../../src/governance/ledger/call-ledger.js';
import { Ledger } from '../../../../src/governance/ledger/ledger.js';
import { LedgerModule } from '../../../../src/governance/ledger/ledger.module.js';
import type { LedgerStore } from '../../../../src/governance/ledger/store/ledger-store.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';
import { KEYS } from '../../../support/a-ledger.js';
import { aCall } from '../../../support/builders.js';

let warnings: string[];
beforeEach(() => {
  warnings = [];
  jest.spyOn(Logger.prototype, 'warn').mockImplementation((text) => void warnings.push(String(text)));
});
afterEach(() => jest.restoreAllMocks());

const failing = (reason: string) => async () => {
  throw new BackendUnavailableError('no', { reason, hint: '' });
};

/** The module on a ledger whose appends fail. */
function aModule(mode: 'auto' | 'on', reason: string) {
  const append = jest.fn(failing(reason));
  const store: LedgerStore = {
    append,
    head: async () => null,
    lines: async () => [],
    runs: async () => ({ runs: [], older: null }),
    remove: failing(reason),
    verify: async () => ({ isIntact: true, lines: 0, first: null, head: null }),
    close: async () => undefined,
  };
  const onFailure = (error: unknown): void => void warnings.push(String(error));
  const ledger = new Ledger(store, { now: Date.now, onFailure });
  const calls = new CallLedger(ledger, KEYS, onFailure);
  return { module: new LedgerModule(ledger, parseConfig({ PITH_LEDGER: mode }), calls), calls, append };
}

describe('LedgerModule', () => {
  it('does not start with PITH_LEDGER=on if nothing can be appended', async () => {
    const { module } = aModule('on', 'ledger_damaged');
    await expect(module.onApplicationBootstrap()).rejects.toMatchObject({ reason: 'ledger_damaged' });
    await module.onApplicationShutdown();
  });

  it('turns the ledger off with auto if its file cannot be opened, with one warning', async () => {
    const { module, calls, append } = aModule('auto', 'ledger_not_writable');
    await module.onApplicationBootstrap();
    const call = aCall();
    await calls.start(call, 'scratch.put', { version: '1', safety: 'read', args: {}, meta: undefined });
    calls.observe(aFinishedCall());
    await module.onApplicationShutdown();
    expect([call.decisions.run, call.decisions.isStarted]).toEqual([null, false]);
    expect(append).toHaveBeenCalledTimes(1);
    expect(warnings).toEqual(['Calls are not recorded: no']);
  });

  it('keeps a damaged ledger on, with a warning', async () => {
    const { module, calls } = aModule('auto', 'ledger_damaged');
    await module.onApplicationBootstrap();
    const call = aCall();
    await calls.start(call, 'kb.search', { version: '1', safety: 'read', args: {}, meta: undefined });
    expect(call.decisions.isStarted).toBe(true);
    expect(warnings[0]).toBe("The run ledger can't be used now: no");
    await module.onApplicationShutdown();
  });
});
