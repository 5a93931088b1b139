import { writeFileSync } from 'node:fs';
import { ReadinessService } from '../../../../src/admin/facts/readiness.service.js';
import { BackendUnavailableError } from '../../../../src/core/errors.js';
import { MemoryScratchStore } from '../../../../src/scratch/memory-scratch-store.js';
import { answeringParts, idleWriter, serverFacts } from '../../../support/admin-parts.js';
import { FixedIndex } from '../../../support/builders.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

const withFolder = (dir: string, env: Record<string, string> = {}) =>
  serverFacts({ RETRIEVAL_DIAGNOSTICS_DIR: dir, ...env });

type Parts = Parameters<typeof answeringParts>[1];

/** A feature whose store can be used, until a test says that it can't. */
let storeTrouble: Error | null = null;
const GOVERNANCE = {
  part: 'governance',
  run: async (): Promise<void> => {
    if (storeTrouble) throw storeTrouble;
  },
} as const;

const check = (server = withFolder(folder.path), parts: Parts = {}, writer = idleWriter(folder.path)) =>
  new ReadinessService(server, answeringParts(server, parts), writer, [GOVERNANCE]).check();
const reasonsOf = async (...given: Parameters<typeof check>) =>
  (await check(...given)).reasons.map(({ part, reason }) => `${part}: ${reason}`);

class FailingScratch extends MemoryScratchStore {
  override check(): Promise<void> {
    const context = { reason: 'redis', hint: 'Start it.' };
    return Promise.reject(new BackendUnavailableError('Redis is down.', context));
  }
}

class MissingIndex extends FixedIndex {
  override stamp(): Promise<never> {
    const context = { reason: 'index_missing', hint: 'Run pith index.' };
    return Promise.reject(new BackendUnavailableError('There is no index.', context));
  }
}

class BrokenIndex extends FixedIndex {
  override stamp(): Promise<never> {
    return Promise.reject(new Error('/secret/path is broken'));
  }
}

describe('ReadinessService', () => {
  it('is ready if the index answers and diagnostics can be written, even before their folder exists', async () => {
    expect(await check(withFolder(folder.file('not/yet')))).toEqual({ ready: true, reasons: [] });
  });

  it('reports why the index does not answer, and what to do', async () => {
    expect(await check(undefined, { index: new MissingIndex([]) })).toEqual({
      ready: false,
      reasons: [
        { part: 'index', reason: 'index_missing', message: 'There is no index.', hint: 'Run pith index.' },
      ],
    });
  });

  it('reports what the check of a feature finds', async () => {
    const context = { reason: 'governance_store_missing', hint: 'Start it.' };
    storeTrouble = new BackendUnavailableError('The store does not answer.', context);
    expect(await reasonsOf()).toEqual(['governance: governance_store_missing']);
    storeTrouble = null;
  });

  it('reports an index of another project', async () => {
    expect(await reasonsOf(withFolder(folder.path, { PITH_PROJECT: 'other' }))).toEqual([
      'index: index_incompatible',
    ]);
  });

  it('reports that the graph does not answer', async () => {
    const graph = {
      describe: () => Promise.reject(new Error('x')),
      walk: never,
      expand: never,
      bridges: never,
    };
    expect(await reasonsOf(undefined, { graph: { ...graph, close: never } })).toEqual(['graph: internal']);
  });

  it('reports a failing scratch store together with other failures', async () => {
    const limits = { ttlMs: 1, maxBytes: 1, now: Date.now, onPressure: never };
    const parts = { scratch: new FailingScratch(limits), index: new MissingIndex([]) };
    expect(await reasonsOf(undefined, parts)).toEqual(['index: index_missing', 'scratch: redis']);
  });

  it('does not reveal the message of an unexpected error', async () => {
    const readiness = await check(undefined, { index: new BrokenIndex([]) });
    expect(readiness.reasons[0]).toMatchObject({ part: 'index', reason: 'internal' });
    expect(JSON.stringify(readiness)).not.toContain('secret');
  });

  it('reports a diagnostics folder that cannot be created because its parent is a file', async () => {
    writeFileSync(folder.file('file'), '');
    expect(await reasonsOf(withFolder(folder.file('file/below')))).toEqual([
      'diagnostics: diagnostics_not_writable',
    ]);
  });

  it('does not check the diagnostics folder if nothing is logged', async () => {
    expect(await reasonsOf(withFolder(folder.file('file/below'), { MCP_NO_LOG: '1' }))).toEqual([]);
  });

  it('reports that diagnostics could not be written', async () => {
    const writer = Object.assign(idleWriter(folder.path), { accepts: () => false });
    expect(await reasonsOf(undefined, {}, writer)).toEqual(['diagnostics: diagnostics_failing']);
  });
});

function never(): never {
  throw new Error('not asked for');
}
