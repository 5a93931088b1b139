import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import {
  importMemory,
  type MemoryImport,
  type MemoryImported,
} from '../../../../src/cli/running/import-memory.js';
import type { MemoryRow } from '../../../../src/core/ports/memory-store.port.js';
import { embedderNamed } from '../../../../src/sqlite/latent/embedder-named.js';
import { MemoryWriter } from '../../../../src/sqlite/memory/memory-writer.js';
import { SqliteMemoryStore } from '../../../../src/sqlite/memory/sqlite-memory-store.js';
import { SqliteReader } from '../../../../src/sqlite/reader-ports.js';
import { NOW } from '../../../support/builders.js';
import { aMemoryQuery } from '../../../support/memory-rows.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const FILE_DATE = new Date('2025-05-05T05:05:05.000Z');
const entity = (name: string, ...observations: readonly string[]): object => ({
  type: 'entity',
  name,
  entityType: 'bird',
  observations,
});
const relation = (from: string, relationType: string, to: string): object => ({
  type: 'relation',
  from,
  relationType,
  to,
});
const thought = (text: string, parts: object = {}): object => ({ table: 'thoughts', text, ...parts });

describe('importMemory', () => {
  let folder: TestFolder;
  let writer: MemoryWriter;
  let problems: string[];

  beforeEach(() => {
    folder = testFolder();
    writer = new MemoryWriter(folder.file('index.sqlite'), embedderNamed('lsa'));
    problems = [];
  });

  afterEach(() => folder.remove());

  async function bring(
    lines: readonly (object | string)[],
    parts: Partial<MemoryImport> = {},
  ): Promise<MemoryImported> {
    const file = parts.file ?? folder.file('memory.jsonl');
    const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
    if (!parts.file) writeFileSync(file, text);
    if (!parts.file) utimesSync(file, FILE_DATE, FILE_DATE);
    return importMemory(writer, {
      file,
      source: 'memory.jsonl',
      format: null,
      replace: false,
      now: () => NOW,
      onRead: () => undefined,
      onWrite: () => undefined,
      onProblem: (line, reason) => problems.push(`${line}: ${reason}`),
      ...parts,
    });
  }

  async function rows(): Promise<MemoryRow[]> {
    const store = new SqliteMemoryStore(new SqliteReader(folder.file('index.sqlite'), embedderNamed('lsa')));
    const { candidates } = await store.candidates(aMemoryQuery('kestrel', { includePrivate: true }));
    await store.close();
    return Object.values(candidates)
      .flat()
      .map(({ row }) => row);
  }

  const texts = async (): Promise<string[]> => (await rows()).map(({ text }) => text).sort();

  it('imports one row per line and counts them', async () => {
    const report = await bring([thought('The kestrel.'), '', thought('The owl.', { is_private: true })]);
    expect(report).toMatchObject({ format: 'jsonl', added: 2, skipped: 0, removed: 0 });
    expect(await texts()).toEqual(['The kestrel.', 'The owl.']);
  });

  it('changes nothing when the same file is imported again', async () => {
    const lines = [thought('The kestrel.'), thought('The owl.')];
    await bring(lines);
    expect(await bring(lines)).toMatchObject({ added: 0, updated: 0, unchanged: 2, removed: 0 });
  });

  it('reports unreadable lines, skips them and imports the others', async () => {
    const report = await bring([thought('The kestrel.'), '{', thought(''), thought('The owl.')]);
    expect(report).toMatchObject({ added: 2, skipped: 2 });
    expect(problems).toEqual(['2: it is not JSON', '3: text: it is empty']);
  });

  it('dates rows without a date by the file, but never in the future', async () => {
    await bring([thought('The kestrel.')]);
    expect((await rows())[0]?.createdAt).toBe(FILE_DATE.toISOString());
    await bring([thought('The owl.')], { now: () => FILE_DATE.getTime() - 1_000 });
    expect((await rows()).find(({ text }) => text === 'The owl.')?.createdAt).toBe(
      '2025-05-05T05:05:04.000Z',
    );
  });

  it('keeps rows that are missing in a file of rows, unless told to replace them', async () => {
    await bring([thought('The kestrel.'), thought('The owl.')]);
    expect(await bring([thought('The owl.')])).toMatchObject({ removed: 0 });
    expect(await bring([thought('The owl.')], { replace: true })).toMatchObject({ removed: 1 });
    expect(await texts()).toEqual(['The owl.']);
  });

  it('removes rows that are missing in a graph file of the reference server', async () => {
    const graph = [
      entity('Kestrel', 'Hovers.', 'Eats voles.'),
      entity('Owl'),
      relation('Owl', 'fears', 'Kestrel'),
    ];
    const report = await bring(graph);
    expect(report).toMatchObject({ format: 'memory-json', added: 4, skipped: 0 });
    expect(await texts()).toEqual([
      'Kestrel (bird).\nOwl fears Kestrel.',
      'Kestrel: Eats voles.',
      'Kestrel: Hovers.',
      'Owl (bird).\nOwl fears Kestrel.',
    ]);
    const later = await bring([entity('Kestrel', 'Hovers.', 'Nests in towers.')]);
    expect(later).toMatchObject({ added: 1, updated: 1, unchanged: 1, removed: 2 });
    expect(await texts()).toEqual(['Kestrel (bird).', 'Kestrel: Hovers.', 'Kestrel: Nests in towers.']);
  });

  it('removes nothing if a line is unreadable, since it may be the missing row', async () => {
    await bring([entity('Kestrel'), entity('Owl')]);
    const report = await bring([entity('Kestrel'), '{"type":"entity","name":"Ow']);
    expect(report).toMatchObject({ removed: 0, skipped: 1, keptMissing: true });
    expect(await texts()).toHaveLength(2);
  });

  it('does not change rows of other sources', async () => {
    await bring([entity('Kestrel')], { source: 'one' });
    await bring([entity('Owl')], { source: 'two' });
    await bring([], { source: 'one', format: 'memory-json' });
    expect(await texts()).toEqual(['Owl (bird).']);
  });

  it('uses the given format', async () => {
    expect(await bring([entity('Kestrel')], { format: 'jsonl' })).toMatchObject({ added: 0, skipped: 1 });
  });

  it('detects the format from a later line if the first lines are not valid in any format', async () => {
    expect(await bring(['', 'nonsense', entity('Kestrel')])).toMatchObject({ format: 'memory-json' });
    expect(await bring(['nonsense', thought('x')])).toMatchObject({ format: 'jsonl' });
    expect(await bring([])).toMatchObject({ format: 'jsonl', added: 0 });
  });

  it('creates no index file if there is nothing to import', async () => {
    await bring(['nonsense']);
    await expect(rows()).rejects.toMatchObject({ reason: 'db_error' });
  });

  it('reports the progress of reading', async () => {
    const seen: number[] = [];
    const many = Array.from({ length: 1_200 }, (_, i) => thought(`Entry ${i}.`));
    await bring(many, { onRead: ({ done, total }) => seen.push(done / total) });
    expect(seen.length).toBeGreaterThan(2);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
    expect(seen.at(-1)).toBe(1);
  });

  it.each([
    ['is not there', 'nowhere.jsonl'],
    ['is a folder', 'folder'],
  ])('refuses a file that %s', async (_, name) => {
    mkdirSync(folder.file('folder'));
    const refused = { code: 'INVALID_ARGUMENT', reason: 'memory_input_unreadable' };
    await expect(bring([], { file: folder.file(name) })).rejects.toMatchObject(refused);
  });

  it('refuses a database of another program before it reads a line', async () => {
    writeFileSync(folder.file('index.sqlite'), 'This is no database. '.repeat(100));
    const onRead = jest.fn();
    await expect(bring([thought('x')], { onRead })).rejects.toMatchObject({ reason: 'index_incompatible' });
    expect(onRead).not.toHaveBeenCalled();
  });
});
