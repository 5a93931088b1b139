import {
  BackendUnavailableError,
  BudgetExceededError,
  DeadlineExceededError,
  ERROR_CODES,
  InvalidArgumentError,
  ScopeViolationError,
} from '../../../../src/core/errors.js';
import { failuresOf, ledgerFailure } from '../../../../src/governance/ledger/store/ledger-failures.js';
import { errorLine, toEnvelope } from '../../../../src/mcp/rendering/error-envelope.js';
import { indexFileIncompatible, indexFileMissing } from '../../../../src/sqlite/open-database.js';
import { fromPlain, toPlain } from '../../../../src/sqlite/reader-messages.js';
import { storeFailure } from '../../../../src/sqlite/stores/store-failures.js';
import { aCall } from '../../../support/builders.js';

const CONTEXT = { reason: 'because', hint: 'Do this.', details: { limit: 3 } };

const FILE = '/srv/Pith data/index.ledger.sqlite';
const STORE = { id: 1, version: 1, name: 'store', reason: 'store', setting: 'PITH_STORE' };

describe('toEnvelope', () => {
  it.each([
    [new InvalidArgumentError('Wrong.', CONTEXT), 'INVALID_ARGUMENT'],
    [new ScopeViolationError('Wrong.', CONTEXT), 'SCOPE_VIOLATION'],
    [new BackendUnavailableError('Wrong.', CONTEXT), 'BACKEND_UNAVAILABLE'],
    [new DeadlineExceededError('Wrong.', CONTEXT), 'TIMEOUT'],
    [new BudgetExceededError('Wrong.', CONTEXT), 'BUDGET_EXCEEDED'],
  ])('reports %s as %s, with reason, hint and details', (error, code) => {
    const details = { reason: 'because', hint: 'Do this.', limit: 3 };
    expect(toEnvelope(error, aCall(), String)).toEqual({ error: { code, message: 'Wrong.', details } });
  });

  it.each([
    ['an error', new Error('password hunter2 at /etc/secret')],
    [
      'an error that looks like a PithError',
      Object.assign(new Error('hunter2'), { code: 'INVALID_ARGUMENT', reason: 'hunter2' }),
    ],
    ['a string', 'hunter2'],
    ['nothing', undefined],
  ])('reports nothing of %s but its diagnostic id', (_, thrown) => {
    const envelope = toEnvelope(thrown, aCall(), String);
    expect(envelope.error).toMatchObject({ code: 'INTERNAL_ERROR', details: { diagnostic_id: 'call-1' } });
    expect(JSON.stringify(envelope)).not.toMatch(/hunter2|secret/);
  });

  it('does not contain the cause', () => {
    const error = new BackendUnavailableError('Wrong.', { ...CONTEXT, cause: new Error('hunter2') });
    expect(JSON.stringify(toEnvelope(error, aCall(), String))).not.toContain('hunter2');
  });

  it.each([
    ['the ledger', ledgerFailure(FILE, new Error(`ENOSPC: no space left on device, open '${FILE}-wal'`))],
    ['the ledger of another secret', failuresOf(FILE).otherSecret()],
    [
      'the folder of the ledger',
      ledgerFailure(FILE, new Error("EACCES: permission denied, mkdir '/srv/Pith data'")),
    ],
    ['a store', storeFailure(STORE, FILE, new Error('database or disk is full'))],
    ['the index', indexFileMissing(FILE)],
    ['an index that another thread reads', fromPlain(toPlain(indexFileIncompatible(FILE, 'old')))],
  ])('has no path of %s for callers on other machines', (_, error) => {
    const remote = aCall({ caller: { isLocal: false } });
    expect(JSON.stringify(toEnvelope(error, remote, String))).not.toContain('Pith data');
    expect(JSON.stringify(toEnvelope(error, aCall(), String))).toContain('Pith data');
  });

  it('shows characters of callers and providers that can not be seen', () => {
    const text = 'The tool \u202egpj.exe\u200b failed.';
    const { message, details } = toEnvelope(
      new InvalidArgumentError(text, { ...CONTEXT, hint: text }),
      aCall(),
      String,
    ).error;
    expect([message, details['hint']]).toEqual(Array(2).fill('The tool \\u202egpj.exe\\u200b failed.'));
  });

  it('truncates a long message between characters', () => {
    const { message } = toEnvelope(
      new InvalidArgumentError('😀'.repeat(900), CONTEXT),
      aCall(),
      String,
    ).error;
    expect(message.length).toBeLessThan(700);
    expect(message.isWellFormed()).toBe(true);
  });
});

describe('errorLine', () => {
  it('is one line with code, message and hint', () => {
    expect(errorLine(toEnvelope(new InvalidArgumentError('Wrong.', CONTEXT), aCall(), String))).toBe(
      'INVALID_ARGUMENT: Wrong. Do this.',
    );
  });
});

describe('ERROR_CODES', () => {
  it('are these six', () => {
    expect([...ERROR_CODES].sort()).toEqual([
      'BACKEND_UNAVAILABLE',
      'BUDGET_EXCEEDED',
      'INTERNAL_ERROR',
      'INVALID_ARGUMENT',
      'SCOPE_VIOLATION',
      'TIMEOUT',
    ]);
  });
});
