import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setTimeout as after } from 'node:timers/promises';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { MemoryAnswer, MemoryStore } from '../../src/core/ports/memory-store.port.js';
import { openDatabase } from '../../src/sqlite/driver.js';
import { memoryStoreContract } from '../contract/memory-store.contract.js';
import { aSqliteMemory, inProcessMemory } from '../contract/sqlite-memory-subjects.js';
import { inspectIndex } from '../support/check-index.js';
import { generateCorpus } from '../support/corpora.js';
import { cleanEnv } from '../support/mcp-clients.js';
import { aMemoryQuery } from '../support/memory-rows.js';
import { pithIndex } from '../support/processes.js';
import { type PithRun, runPith } from '../support/run-pith.js';
import { smallDisk } from '../support/small-disk.js';
import { testFolder } from '../support/test-folder.js';

interface Built {
  readonly SqliteMemoryStore: new (thread: unknown, provider?: string) => MemoryStore;
  readonly ReaderThreads: new (file: string, embedder: string) => unknown;
}

// The thread loads compiled JavaScript, so the class is taken from there too.
/* eslint-disable @typescript-eslint/no-require-imports */
const { SqliteMemoryStore, ReaderThreads } = {
  ...require('../../dist/sqlite/memory/sqlite-memory-store.js'),
  ...require('../../dist/sqlite/reader-threads.js'),
} as Built;
/* eslint-enable @typescript-eslint/no-require-imports */

memoryStoreContract('ReaderThreads, memory', () =>
  // Whatever documents are embedded with, memory is embedded with its own.
  aSqliteMemory((file, provider) => new SqliteMemoryStore(new ReaderThreads(file, 'none'), provider)),
);

const folder = testFolder();
afterAll(() => folder.remove());

const importInto = (index: string, file: string, ...flags: readonly string[]): Promise<PithRun> =>
  runPith(['memory', 'import', file, '--index', index, ...flags]);

async function ask(index: string, text: string, includePrivate = false): Promise<MemoryAnswer> {
  const store = inProcessMemory(index);
  try {
    return await store.candidates(aMemoryQuery(text, { includePrivate, perTable: 200 }));
  } finally {
    await store.close();
  }
}

/** The first answer of each table, best first. */
const textsOf = ({ candidates }: MemoryAnswer): string[][] =>
  [candidates.kg_entities, candidates.kg_observations].map((rows) => rows.map(({ row }) => row.text));

describe('the memory of the reference server', () => {
  const memory = folder.file('memory.jsonl');
  const index = folder.file('reference.sqlite');
  let client: Client;
  const call = (name: string, args: Record<string, unknown>) => client.callTool({ name, arguments: args });

  beforeAll(async () => {
    client = new Client({ name: 'pith-tests', version: '1.0.0' });
    const server = createRequire(__filename).resolve('@modelcontextprotocol/server-memory/dist/index.js');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [server],
        env: { ...cleanEnv(), MEMORY_FILE_PATH: memory },
        stderr: 'ignore',
      }),
    );
    const ada = { name: 'Ada Lovelace', entityType: 'person', observations: ['Prefers tea to coffee.'] };
    const engine = { name: 'Analytical Engine', entityType: 'machine', observations: [] };
    await call('create_entities', { entities: [ada, engine] });
    await call('create_relations', {
      relations: [{ from: 'Ada Lovelace', to: 'Analytical Engine', relationType: 'wrote_programs_for' }],
    });
    await call('add_observations', {
      observations: [
        { entityName: 'Analytical Engine', contents: ['', 'Has a mill and a store.', '“Ünïcode” 👩‍🚀'] },
      ],
    });
  }, 30_000);

  afterAll(() => client.close());

  it('is imported as it lies on disk, and found by what it says', async () => {
    const run = await importInto(index, memory);
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toMatch(/5 rows of memory-json/);
    const [entities, observations] = textsOf(await ask(index, 'Who wrote programs for the engine?'));
    expect(entities?.[0]).toBe(
      'Analytical Engine (machine).\nAda Lovelace wrote programs for Analytical Engine.',
    );
    expect(observations).toContain('Analytical Engine: “Ünïcode” 👩‍🚀');
    const [, first] = textsOf(await ask(index, 'tea or coffee'));
    expect(first?.[0]).toBe('Ada Lovelace: Prefers tea to coffee.');
  });

  it('is followed as it changes: what it forgot is removed', async () => {
    await call('delete_observations', {
      deletions: [{ entityName: 'Analytical Engine', observations: ['Has a mill and a store.'] }],
    });
    await call('delete_entities', { entityNames: ['Ada Lovelace'] });
    const run = await importInto(index, memory);
    expect(run.stdout).toMatch(/0 added, 1 updated, 1 unchanged, 3 removed, 0 skipped/);
    expect(textsOf(await ask(index, 'engine'))).toEqual([
      ['Analytical Engine (machine).'],
      ['Analytical Engine: “Ünïcode” 👩‍🚀'],
    ]);
  });

  it('is imported while it is empty', async () => {
    await call('delete_entities', { entityNames: ['Analytical Engine'] });
    expect(readFileSync(memory, 'utf8')).toBe('');
    const run = await importInto(index, memory, '--format', 'memory-json');
    expect(run.stdout).toMatch(/2 removed/);
    expect(textsOf(await ask(index, 'engine'))).toEqual([[], []]);
  });
});

/** A file of rows that are all of one generation. */
function writeRows(file: string, count: number, generation: string): void {
  const lines = Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      table: 'thoughts',
      id: `r${i}`,
      text: `Entry ${i} of ${generation}, w${i % 97} x${i % 89}.`,
    }),
  );
  writeFileSync(file, lines.join('\n'));
}

/** Which generations one answer holds, and how many rows it was found among. */
function generationsOf({ candidates, matched }: MemoryAnswer): string {
  const words = candidates.thoughts.map(({ row }) => / of (\w+),/.exec(row.text)?.[1] ?? '');
  return `${[...new Set(words)].join('+')} ${matched.thoughts}`;
}

describe('kill -9 while an import runs', () => {
  it('leaves all of the old memory, and readers see nothing else', async () => {
    const [index, old, young] = ['kill.sqlite', 'old.jsonl', 'young.jsonl'].map((name) => folder.file(name));
    if (!index || !old || !young) throw new Error('no names');
    writeRows(old, 4_000, 'kestrel');
    writeRows(young, 4_000, 'owl');
    const whole = await importInto(index, old);
    const answers: string[] = [];
    for (const moment of [0.1, 0.3, 0.5, 0.6, 0.7, 0.8, 0.9]) {
      await runPith(['memory', 'import', young, '--index', index], {
        onStart: (child) => void setTimeout(() => child.kill('SIGKILL'), moment * whole.seconds * 1_000),
      });
      answers.push(generationsOf(await ask(index, 'entry')));
      // One that was faster than the kill is taken back.
      if (answers.at(-1)?.startsWith('owl')) await importInto(index, old);
    }
    expect(answers.filter((answer) => !['kestrel 4000', 'owl 4000'].includes(answer))).toEqual([]);
    expect(answers).toContain('kestrel 4000');
    const last = await importInto(index, young);
    expect(last.code).toBe(0);
    expect(generationsOf(await ask(index, 'entry'))).toBe('owl 4000');
  }, 200_000);
});

describe('imports and index runs that share a file', () => {
  it('wait for each other, and a reader sees whole generations of either', async () => {
    const [index, corpus] = [folder.file('shared.sqlite'), folder.file('corpus')];
    generateCorpus(corpus, { documents: 60, sectionsPerDocument: 4, sentences: 4 });
    const files = ['a', 'b'].map((name) => folder.file(`${name}.jsonl`));
    files.forEach((file, i) => writeRows(file, 300, ['kestrel', 'owl'][i] ?? ''));
    const state = { isOver: false };
    const seen = new Set<string>();
    const reader = inProcessMemory(index);
    const watching = (async () => {
      while (!state.isOver) {
        await after(10);
        // Until the first import there is no file, or no memory in it.
        const answer = await reader.candidates(aMemoryQuery('entry', { perTable: 300 })).catch(() => null);
        if (answer && answer.generation !== '') seen.add(generationsOf(answer));
      }
    })();
    const importing = (async () => {
      const runs: PithRun[] = [];
      for (let i = 0; i < 8; i++) runs.push(await importInto(index, files[i % 2] ?? ''));
      return runs;
    })();
    const indexing = (async () => {
      const runs: PithRun[] = [];
      for (let i = 0; i < 4; i++) {
        appendFileSync(`${corpus}/more.md`, `# More ${i}\n\nNumber ${i}.\n`);
        runs.push(await runPith(['index', corpus, '--index', index, ...(i % 2 ? ['--rebuild'] : [])]));
      }
      return runs;
    })();
    const runs = [...(await importing), ...(await indexing)];
    state.isOver = true;
    await watching;
    await reader.close();
    expect(runs.filter(({ code }) => code !== 0).map(({ stderr }) => stderr)).toEqual([]);
    expect([...seen].sort()).toEqual(['kestrel 300', 'owl 300']);
    expect(inspectIndex(index)).toMatchObject({ integrity: 'ok', documents: 61 });
  }, 200_000);
});

describe('imports that begin at once', () => {
  it('make one memory, and all of them are in it', async () => {
    const index = folder.file('crowd.sqlite');
    const names = ['kestrel', 'owl', 'heron', 'stork'];
    const lineOf = (name: string) => JSON.stringify({ table: 'thoughts', id: name, text: `The ${name}.` });
    for (const name of names) writeFileSync(folder.file(`${name}.jsonl`), lineOf(name));
    const runs = await Promise.all(names.map((name) => importInto(index, folder.file(`${name}.jsonl`))));
    expect(runs.map(({ code, stderr }) => `${code}${stderr}`)).toEqual(['0', '0', '0', '0']);
    expect((await ask(index, 'bird')).matched.thoughts).toBe(4);
  });
});

describe('an index run while a large import is written', () => {
  it('waits for its end', async () => {
    const [index, corpus] = [folder.file('patient.sqlite'), folder.file('patient')];
    generateCorpus(corpus, { documents: 2, sectionsPerDocument: 1, sentences: 1 });
    await pithIndex(corpus, index);
    appendFileSync(`${corpus}/more.md`, '# More\n\nThe kestrel.\n');
    const writer = openDatabase(index);
    writer.exec('BEGIN IMMEDIATE');
    const run = runPith(['index', corpus, '--index', index]);
    await after(8_000);
    writer.exec('COMMIT');
    writer.close();
    expect(await run).toMatchObject({ code: 0 });
    expect(inspectIndex(index)).toMatchObject({ integrity: 'ok', documents: 3 });
  }, 60_000);
});

describe('a full disk for temporary files', () => {
  it('ends the import with what to do, and leaves memory as it was', async () => {
    const [index, few, many] = ['full.sqlite', 'few.jsonl', 'many.jsonl'].map((name) => folder.file(name));
    if (!index || !few || !many) throw new Error('no names');
    const disk = smallDisk(folder.file('temporary'));
    writeRows(few, 3, 'kestrel');
    writeRows(many, 40_000, 'owl');
    await importInto(index, few);
    const env = { SQLITE_TMPDIR: disk.path };
    const run = await runPith(['memory', 'import', many, '--index', index], { env, ...disk.options });
    disk.remove();
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/^pith: .*\n {6}Free space .*TMPDIR/m);
    expect(generationsOf(await ask(index, 'entry'))).toBe('kestrel 3');
  }, 60_000);
});

describe('a file of 300 MB', () => {
  it('is read in little memory: what is too long is named, and the rest imported', async () => {
    const file = folder.file('large.jsonl');
    writeFileSync(file, '{"table":"thoughts","text":"The kestrel."}\n');
    const part = Buffer.alloc(30_000_000, 'x');
    for (let i = 0; i < 10; i++)
      appendFileSync(file, i === 4 ? '\n{"table":"thoughts","text":"The owl."}\n' : part);
    const run = await importInto(folder.file('large.sqlite'), file);
    expect(run.code).toBe(3);
    expect(run.stdout).toMatch(/2 added, .* 2 skipped/);
    expect(run.stdout).toContain(`${file}:2: it is longer than 8388608 bytes`);
    expect(run.peakMb).toBeLessThan(300);
  }, 120_000);
});
