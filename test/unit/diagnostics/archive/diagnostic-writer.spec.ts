import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { pageName } from '../../../../src/diagnostics/archive/diagnostic-paths.js';
import {
  DiagnosticWriter,
  type DiagnosticWriterOptions,
} from '../../../../src/diagnostics/archive/diagnostic-writer.js';
import { renderDiagnostic } from '../../../../src/diagnostics/report/render-diagnostic.js';
import { aDiagnosticCandidate, aDiagnosticRecord } from '../../../support/a-diagnostic.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const DAY = '2026-01-01';
const LINES = 'retrieval_diagnostics.jsonl';

let folder: TestFolder;
let failures: unknown[];

beforeEach(() => {
  folder = testFolder();
  failures = [];
});
afterEach(() => folder.remove());

const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const record = (n: number, parts: Parameters<typeof aDiagnosticRecord>[0] = {}) =>
  aDiagnosticRecord({ diagnostic_id: idOf(n), ...parts });

function aWriter(options: Partial<DiagnosticWriterOptions> = {}): DiagnosticWriter {
  return new DiagnosticWriter({
    folder: folder.path,
    onFailure: (error) => failures.push(error),
    ...options,
  });
}

async function writeAll(writer: DiagnosticWriter, ...numbers: number[]): Promise<void> {
  for (const n of numbers) writer.write(record(n));
  await writer.flush();
}

const path = (name: string, day = DAY): string => join(folder.path, day, name);
const idsIn = (file: string): string[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).diagnostic_id);

describe('DiagnosticWriter', () => {
  it('reports records that are written, and no others', async () => {
    const told: string[] = [];
    const writer = aWriter({ maxQueued: 1 });
    writer.onWritten(({ diagnostic_id }) => void told.push(diagnostic_id));
    writer.write(record(1));
    writer.write(record(2));
    await writer.flush();
    expect(told).toEqual([idOf(1)]);
  });

  it('appends a line and writes a page', async () => {
    await writeAll(aWriter(), 1);
    expect(readFileSync(path(LINES), 'utf8')).toBe(`${JSON.stringify(record(1))}\n`);
    expect(readFileSync(path(pageName(idOf(1))), 'utf8')).toBe(renderDiagnostic(record(1)));
  });

  it('does not access files until write() has returned', async () => {
    const writer = aWriter();
    writer.write(record(1));
    expect(readdirSync(folder.path)).toEqual([]);
    expect(writer.counters()).toEqual({ queued: 1, written: 0, dropped: 0, failed: 0 });
    await writer.flush();
    expect(writer.counters()).toEqual({ queued: 0, written: 1, dropped: 0, failed: 0 });
  });

  it('keeps the order of the records, each in the folder of its day', async () => {
    const writer = aWriter();
    writer.write(record(1));
    writer.write(record(2, { timestamp: '2026-01-02T00:00:00.000Z' }));
    writer.write(record(3));
    await writer.flush();
    await writeAll(writer, 4);
    expect(idsIn(path(LINES))).toEqual([idOf(1), idOf(3), idOf(4)]);
    expect(idsIn(path(LINES, '2026-01-02'))).toEqual([idOf(2)]);
  });

  it('flushes at once if nothing was written', async () => {
    await aWriter().flush();
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it('creates files and folders that only their owner can read', async () => {
    await writeAll(aWriter({ folder: folder.file('deep/er') }), 1);
    const modeOf = (name: string): string => (statSync(folder.file(name)).mode & 0o777).toString(8);
    const names = ['deep', 'deep/er', `deep/er/${DAY}`, `deep/er/${DAY}/${LINES}`];
    expect([...names, `deep/er/${DAY}/${pageName(idOf(1))}`].map(modeOf)).toEqual([
      ...['700', '700', '700'],
      ...['600', '600'],
    ]);
  });

  it('drops and counts records when the queue is full', async () => {
    const writer = aWriter({ maxQueued: 2 });
    writer.write(record(1));
    expect(writer.accepts()).toBe(true);
    writer.write(record(2));
    expect(writer.accepts()).toBe(false);
    await writeAll(writer, 3);
    expect(idsIn(path(LINES))).toEqual([idOf(1), idOf(2)]);
    expect(writer.counters()).toMatchObject({ written: 2, dropped: 1 });
    expect(writer.accepts()).toBe(true);
    expect(failures).toEqual([]);
  });

  it('drops and counts records when the queue has its maximum size in bytes', async () => {
    const writer = aWriter({ maxQueuedBytes: 100_000 });
    writer.write(record(1, { results: Array.from({ length: 100 }, () => aDiagnosticCandidate()) }));
    await writeAll(writer, 2);
    expect(writer.counters()).toMatchObject({ written: 1, dropped: 1 });
    await writeAll(writer, 3);
    expect(idsIn(path(LINES))).toEqual([idOf(1), idOf(3)]);
  });

  it('reports the first of several failures, counts all, and continues when it can', async () => {
    const writer = aWriter();
    writeFileSync(path(''), 'in the way');
    await writeAll(writer, 1, 2);
    await writeAll(writer, 3);
    expect(failures).toHaveLength(1);
    expect(writer.accepts()).toBe(false);
    rmSync(path(''), { recursive: true });
    await writeAll(writer, 4);
    expect(writer.accepts()).toBe(true);
    expect(writer.counters()).toEqual({ queued: 0, written: 1, dropped: 0, failed: 3 });
    writeFileSync(path(pageName(idOf(5))), 'in the way');
    await writeAll(writer, 5);
    expect(failures).toHaveLength(2);
  });

  it('does not overwrite an existing page', async () => {
    const writer = aWriter();
    await writeAll(writer, 1);
    await writeAll(writer, 1);
    expect(readFileSync(path(pageName(idOf(1))), 'utf8')).toBe(renderDiagnostic(record(1)));
    expect(writer.counters()).toMatchObject({ written: 1, failed: 1 });
  });

  it.each([
    ['an id', { diagnostic_id: '../../../etc/passwd' }],
    ['a day', { timestamp: '../../../..' }],
    ['a value', { request: { n: 1n } }],
  ])('counts a record with %s that is invalid as failed, and writes the others', async (_, parts) => {
    const writer = aWriter();
    writer.write(record(1, parts));
    await writeAll(writer, 2);
    expect(readdirSync(folder.path)).toEqual([DAY]);
    expect(idsIn(path(LINES))).toEqual([idOf(2)]);
    expect(writer.counters()).toMatchObject({ written: 1, failed: 1 });
  });

  it('does not follow a link in place of a folder', async () => {
    mkdirSync(folder.file('elsewhere'));
    symlinkSync(folder.file('elsewhere'), path(''));
    await writeAll(aWriter(), 1);
    expect(readdirSync(folder.file('elsewhere'))).toEqual([]);
    expect(failures).toHaveLength(1);
  });

  it.each([LINES, pageName(idOf(1))])('does not follow a link in place of %s', async (name) => {
    mkdirSync(path(''));
    symlinkSync(folder.file('elsewhere'), path(name));
    await writeAll(aWriter(), 1);
    expect(existsSync(folder.file('elsewhere'))).toBe(false);
    expect(failures).toHaveLength(1);
  });

  it('creates the file again if its folder was removed', async () => {
    const writer = aWriter();
    await writeAll(writer, 1);
    rmSync(path(''), { recursive: true });
    await writeAll(writer, 2);
    expect(idsIn(path(LINES))).toEqual([idOf(2)]);
  });

  it('creates the file again if it was moved away', async () => {
    const writer = aWriter();
    await writeAll(writer, 1);
    renameSync(path(LINES), path('kept.jsonl'));
    await writeAll(writer, 2);
    expect(idsIn(path('kept.jsonl'))).toEqual([idOf(1)]);
    expect(idsIn(path(LINES))).toEqual([idOf(2)]);
  });

  it('repairs the torn line of a killed process, whether it was written before or after the start', async () => {
    mkdirSync(path(''));
    const torn = JSON.stringify(record(9)).slice(0, 700);
    writeFileSync(path(LINES), `${JSON.stringify(record(1))}\n${torn}`);
    const writer = aWriter();
    await writeAll(writer, 2);
    appendFileSync(path(LINES), torn);
    await writeAll(writer, 3);
    expect(idsIn(path(LINES))).toEqual([idOf(1), idOf(2), idOf(3)]);
  });

  it('writes many records in order, in several turns', async () => {
    const numbers = Array.from({ length: 200 }, (_, i) => i);
    await writeAll(aWriter(), ...numbers);
    expect(idsIn(path(LINES))).toEqual(numbers.map(idOf));
  });
});
