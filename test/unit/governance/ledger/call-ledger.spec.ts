import { parseConfig } from '../../../../src/config/config.js';
import type { Call, Decisions } from '../../../../src/core/call.js';
import type { ErrorCode } from '../../../../src/core/errors.js';
import { CallLedger } from '../../../../src/governance/ledger/call-ledger.js';
import { Ledger } from '../../../../src/governance/ledger/ledger.js';
import { noteConfiguration } from '../../../../src/governance/ledger/ledger.module.js';
import type { RecordedEvent } from '../../../../src/governance/ledger/ledger-event.js';
import { LocalLedgerStore } from '../../../../src/governance/ledger/store/local-ledger-store.js';
import { openLedgerToWrite } from '../../../../src/governance/ledger/store/open-ledger-file.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';
import { KEYS, startsOf } from '../../../support/a-ledger.js';
import { aCall } from '../../../support/builders.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const folder = testFolder();
let count = 0;
let ledger: Ledger;
let failures: unknown[];
let calls: CallLedger;

beforeEach(() => {
  failures = [];
  const place = { file: folder.file(`${++count}.sqlite`), keys: KEYS, open: openLedgerToWrite };
  const onFailure = (error: unknown): void => void failures.push(error);
  ledger = new Ledger(new LocalLedgerStore(place), { now: Date.now, onFailure });
  calls = new CallLedger(ledger, KEYS, onFailure);
});

afterEach(() => ledger.close());
afterAll(() => folder.remove());

async function events(): Promise<RecordedEvent[]> {
  // The run of a call that was not started is found first.
  await new Promise(setImmediate);
  await ledger.flush();
  const lines = await ledger.lines({ from: 'newest', limit: 10 });
  return lines.map(({ event }) => event).filter((event) => event.type !== 'checkpoint');
}

const by = (principal: string): Call => {
  const call = aCall();
  return { ...call, caller: { ...call.caller, principal } };
};

/** As `run.create` makes it. */
const CREATED = `run_${'0a'.repeat(16)}`;

const inRun = (id: unknown) => ({
  safety: 'read' as const,
  version: '3',
  args: {},
  meta: { 'pith/run_id': id },
});

describe('CallLedger.start', () => {
  it('groups calls without a run id by session', async () => {
    const call = by('a');
    await calls.start(call, 'kb.search', { version: '1', safety: 'read', args: {}, meta: undefined });
    expect(call.decisions.run).toBe('session:session');
  });

  it('records the scope of a call when it starts and when it ends', async () => {
    const call = by('a');
    await calls.start(call, 'kb.search', inRun('run-1'));
    calls.observe(aFinishedCall({ call }));
    await calls.settled();
    const scope = { project: 'docs', environment: 'prod', doc_tags: null, repositories: null };
    expect(await events()).toMatchObject([{ scope }, { scope }]);
  });

  it('records the arguments if they are given', async () => {
    await calls.start(by('a'), 'kb.search', { ...inRun('run-1'), argumentsText: '{"query":"sail"}' });
    await calls.start(by('a'), 'kb.search', inRun('run-1'));
    const [first, second] = await events();
    expect(first).toMatchObject({ arguments: '{"query":"sail"}' });
    expect(second).not.toHaveProperty('arguments');
  });

  it('records the run that the client names', async () => {
    await calls.start(by('local'), 'kb.search', inRun('run-1'));
    expect(await events()).toMatchObject([
      { type: 'tool.call.started', run_id: 'run-1', principal: 'local', version: '3' },
    ]);
  });

  it.each([['x'.repeat(129)], ['a b'], [5], ['']])('ignores %j as a run id', async (id) => {
    const call = by('a');
    await calls.start(call, 'kb.search', inRun(id));
    expect(call.decisions.run).toBe('session:session');
  });

  it('does not let a client name the run of a session', async () => {
    const call = by('a');
    await calls.start(call, 'kb.search', inRun('session:other'));
    expect(call.decisions.run).toBe('session:session');
  });

  it('refuses calls in a created run while its owner is unknown, and no other reads', async () => {
    jest.spyOn(ledger, 'lines').mockRejectedValue(new Error('lost'));
    await expect(calls.start(by('a'), 'kb.search', inRun(CREATED))).rejects.toThrow('lost');
    await calls.start(by('a'), 'kb.search', inRun('run-1'));
    await calls.start(by('a'), 'kb.search', { version: '1', safety: 'read', args: {}, meta: undefined });
    jest.restoreAllMocks();
    expect((await events()).map((event) => Object(event)['run_id'])).toEqual(['run-1@a', 'session:session']);
  });

  it.each(['read', 'write'] as const)('does not start a %s after the call has ended', async (safety) => {
    const call = { ...by('a'), signal: AbortSignal.abort(new Error('over')) };
    await expect(
      calls.start(call, 'a.tool', { version: '1', safety, args: {}, meta: undefined }),
    ).rejects.toThrow('over');
    expect([call.decisions.isStarted, await events()]).toEqual([false, []]);
  });

  it('does not execute a call that ends while its line is written', async () => {
    const over = new AbortController();
    const call = { ...by('a'), signal: over.signal };
    const start = calls.start(call, 'a.write', { version: '1', safety: 'write', args: {}, meta: undefined });
    over.abort(new Error('over'));
    await expect(start).rejects.toThrow('over');
    expect(call.decisions.isStarted).toBe(false);
  });

  it('does not count a call as executed if its line cannot be written', async () => {
    const append = jest.spyOn(ledger, 'append').mockRejectedValueOnce(new Error('full'));
    const call = by('a');
    await expect(
      calls.start(call, 'a.write', { version: '1', safety: 'write', args: {}, meta: undefined }),
    ).rejects.toThrow('full');
    expect(call.decisions.isStarted).toBe(false);
    append.mockRestore();
  });

  it('hashes equal arguments equally, whatever the order of their fields', async () => {
    await calls.start(by('a'), 'kb.search', {
      version: '1',
      safety: 'read',
      args: { query: 'x', top_k: 5 },
      meta: null,
    });
    await calls.start(by('a'), 'kb.search', {
      version: '1',
      safety: 'read',
      args: { top_k: 5, query: 'x' },
      meta: null,
    });
    await calls.start(by('a'), 'kb.search', {
      version: '1',
      safety: 'read',
      args: { top_k: 6, query: 'x' },
      meta: null,
    });
    const [first, second, third] = (await events()).map((event) => Object(event)['input_hash']);
    expect([second === first, third === first]).toEqual([true, false]);
  });
});

describe('CallLedger.observe', () => {
  const failed = (code: ErrorCode, decisions: Partial<Omit<Decisions, 'decide'>>, reason = 'r') =>
    aFinishedCall({ error: { code, reason, message: 'm' }, decisions });
  const started = { run: 'run-1', isStarted: true };

  it.each([
    ['success', aFinishedCall({ decisions: started }), true],
    ['cancelled', aFinishedCall({ isCancelled: true, decisions: started }), true],
    ['timed_out', failed('TIMEOUT', started), true],
    ['error', failed('BACKEND_UNAVAILABLE', started), true],
    ['error', failed('INVALID_ARGUMENT', started), true],
    ['invalid', failed('INVALID_ARGUMENT', {}), false],
    ['refused', failed('SCOPE_VIOLATION', {}), false],
    ['waiting', failed('SCOPE_VIOLATION', {}, 'approval_required'), false],
    ['refused', failed('BUDGET_EXCEEDED', {}, 'rate_limited'), false],
    ['refused', failed('BUDGET_EXCEEDED', {}, 'concurrency'), false],
    ['error', failed('BUDGET_EXCEEDED', {}), false],
    ['error', failed('BACKEND_UNAVAILABLE', {}), false],
    ['error', failed('INTERNAL_ERROR', {}), false],
  ])('records %s', async (outcome, finished, executed) => {
    calls.observe(finished);
    expect(await events()).toMatchObject([{ type: 'tool.call.completed', outcome, executed }]);
  });

  it('records a call of an unknown tool as invalid, under the name that was sent', async () => {
    calls.observe(aFinishedCall({ start: { tool: null, requestedTool: 'x'.repeat(600) } }));
    const [event] = await events();
    expect(event).toMatchObject({ outcome: 'invalid', executed: false, error_code: null });
    expect(Object(event)['tool']).toMatch(/^x{500,511}…?$/);
  });

  it.each([
    ['a tool', null],
    ['a document', failed('INVALID_ARGUMENT', {}).error],
  ])(
    'records as refused that %s was denied, although the caller was told that it does not exist',
    async (_, error) => {
      const policy = { tool: 'kb.search', rule: 'not-offered', effect: 'deny' };
      calls.observe(aFinishedCall({ error, decisions: { policy } }));
      expect(await events()).toMatchObject([
        { outcome: 'refused', rule: 'not-offered', effect: 'deny', error_code: 'SCOPE_VIOLATION' },
      ]);
    },
  );

  it.each<[string, ReturnType<typeof aFinishedCall>, object]>([
    ['of the error', failed('BUDGET_EXCEEDED', {}, 'rate_limited'), { reason: 'rate_limited' }],
    [
      'of a refusal, which the caller may not learn, with the approval',
      failed('SCOPE_VIOLATION', { refusedAs: 'approval_expired', approvalId: 'a1' }, 'approval_mismatch'),
      { reason: 'approval_expired', approval_id: 'a1', executed: false },
    ],
  ])('records the reason %s', async (_, finished, expected) => {
    calls.observe(finished);
    expect(await events()).toMatchObject([expected]);
  });

  it.each([
    ['succeeded', aFinishedCall({ decisions: started })],
    ['was cancelled', aFinishedCall({ isCancelled: true, decisions: { refusedAs: 'policy_denied' } })],
  ])('records no reason for a call that %s', async (_, finished) => {
    calls.observe(finished);
    expect((await events())[0]).not.toHaveProperty('reason');
  });

  it('records throttled calls of one second in two lines, the second one at the end', async () => {
    for (let i = 0; i < 9; i++) calls.observe(failed('BUDGET_EXCEEDED', {}, 'rate_limited'));
    expect(await events()).toHaveLength(1);
    await calls.settled();
    const [first, last] = await events();
    expect(first).not.toHaveProperty('calls_omitted');
    expect(last).toMatchObject({ outcome: 'refused', calls_omitted: 7 });
    expect(await ledger.verify()).toMatchObject({ isIntact: true });
  });

  it('records the rule that decided and its effect', async () => {
    calls.observe(
      aFinishedCall({ decisions: { policy: { tool: 'kb.search', rule: 'r', effect: 'notify' } } }),
    );
    expect(await events()).toMatchObject([{ rule: 'r', effect: 'notify' }]);
  });

  it('records what the result points to', async () => {
    const refs = [
      { type: 'section', id: 'a.md#x' },
      { type: 'passage', id: 'P' },
    ] as const;
    calls.observe(aFinishedCall({ trace: { refs } }));
    expect(await events()).toMatchObject([{ refs }]);
  });

  it('reports once that calls cannot be recorded, until one is', async () => {
    const append = jest.spyOn(ledger, 'append').mockRejectedValue(new Error('full'));
    const observe = async (): Promise<void> => {
      calls.observe(aFinishedCall());
      await new Promise(setImmediate);
    };
    await observe();
    await observe();
    expect(failures).toHaveLength(1);
    append.mockResolvedValueOnce();
    await observe();
    await observe();
    expect(failures).toHaveLength(2);
    append.mockRestore();
  });

  describe('of a call that was not started', () => {
    const refusedIn = (meta: Record<string, unknown>) =>
      aFinishedCall({
        call: by('a'),
        start: { meta },
        error: { code: 'SCOPE_VIOLATION', reason: 'r', message: 'm' },
      });
    const runsOf = async (): Promise<unknown[]> => {
      await calls.settled();
      return (await events()).map((event) => Object(event)['run_id']);
    };

    it('names the run of its session, or the one that the client names', async () => {
      calls.observe(refusedIn({}));
      calls.observe(refusedIn({ 'pith/run_id': 'run-1' }));
      calls.observe(refusedIn({ 'pith/run_id': 'session:other' }));
      expect(await runsOf()).toEqual(['session:session', 'run-1@a', 'session:session']);
    });

    it('names the run of its session while the owner of a created run cannot be read', async () => {
      const lines = jest.spyOn(ledger, 'lines').mockRejectedValue(new Error('lost'));
      calls.observe(refusedIn({ 'pith/run_id': CREATED }));
      await calls.settled();
      lines.mockRestore();
      expect(await runsOf()).toEqual(['session:session']);
    });
  });

  it('does not record lists', async () => {
    calls.observe(aFinishedCall({ start: { method: 'resources/list', tool: null } }));
    expect(await events()).toEqual([]);
  });
});

describe('noteConfiguration', () => {
  const file = folder.file('governance.yaml');
  const accessFile = folder.file('access.yaml');
  const write = (text: string): void => writeFiles(folder.path, { 'governance.yaml': text });
  const noteAll = (settings: Record<string, string>): Promise<void> =>
    noteConfiguration(ledger, parseConfig(settings));
  const note = (agent = 'default'): Promise<void> =>
    noteAll({ PITH_GOVERNANCE_FILE: file, PITH_AGENT: agent });
  const noteNone = (): Promise<void> => noteAll({});

  it('records a governance file once, and again when it has changed', async () => {
    write('version: 1\n');
    await note();
    await note();
    write('version: 1\nagents: {}\n');
    await note();
    const [first, second, ...more] = await events();
    expect(first).toMatchObject({ type: 'configuration.changed', what: 'governance.yaml', before: null });
    expect(Object(second)['before']).toBe(Object(first)['after']);
    expect(more).toEqual([]);
  });

  it('finds the last change behind more lines than one query returns', async () => {
    write('version: 1\n');
    await note();
    await ledger.append(startsOf(2_500), { durable: true });
    await note();
    expect((await events()).some(({ type }) => type === 'configuration.changed')).toBe(false);
  });

  it('records another agent', async () => {
    write('version: 1\n');
    await note();
    await note('reviewer');
    expect(await events()).toHaveLength(2);
  });

  it('records changes of the access file separately', async () => {
    write('version: 1\n');
    await note();
    writeFiles(folder.path, { 'access.yaml': 'version: 1\n' });
    await noteAll({ PITH_GOVERNANCE_FILE: file, PITH_ACCESS_FILE: accessFile });
    await noteAll({ PITH_GOVERNANCE_FILE: file, PITH_ACCESS_FILE: accessFile });
    await note();
    const [, set, removed, ...more] = await events();
    expect(set).toMatchObject({ what: 'access.yaml', before: null });
    expect(removed).toMatchObject({ what: 'access.yaml', before: Object(set)['after'], after: 'none' });
    expect(more).toEqual([]);
  });

  it('records that the file is no longer used', async () => {
    write('version: 1\n');
    await note();
    await noteNone();
    await noteNone();
    const [first, ...more] = await events();
    expect(more).toMatchObject([{ before: Object(first)['after'], after: 'none' }]);
  });

  it('records nothing without a file', async () => {
    await noteNone();
    expect(await events()).toEqual([]);
  });
});
