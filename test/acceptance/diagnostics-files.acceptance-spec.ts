import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { DiagnosticArchive } from '../../src/diagnostics/archive/diagnostic-archive.js';
import { LINES_NAME } from '../../src/diagnostics/archive/diagnostic-paths.js';
import {
  type DiagnosticRecord,
  diagnosticRecordSchema,
} from '../../src/diagnostics/record/diagnostic-record.js';
import { removeOldDiagnostics } from '../../src/diagnostics/recording.module.js';
import { randomFrom } from '../support/corpora.js';
import { type SmallDisk, smallDisk } from '../support/small-disk.js';
import { testFolder } from '../support/test-folder.js';

const SCRIPT = join(__dirname, '..', 'support', 'write-diagnostics.cjs');
const DAY = '2026-01-05';
/** Fixed, so that failures can be repeated; KILL_SEED=… tries other moments. */
const SEED = Number(process.env['KILL_SEED'] ?? 20_260_105);
const KILLS = 12;

interface WriterRun {
  readonly pid: number;
  readonly written: number;
  readonly dropped: number;
  readonly failed: number;
  readonly failures: readonly string[];
}

const folder = testFolder();

afterAll(() => folder.remove());

/** A process that writes the given number of records, in groups of the given size. */
async function startWriter(into: string, count: number, burst: number, shell = '') {
  const command = [process.execPath, SCRIPT, into, String(count), String(burst)];
  const [program = '', ...args] = shell ? ['bash', '-c', `${shell}; exec "$@"`, 'bash', ...command] : command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  const run = async (): Promise<WriterRun> => {
    await ended;
    return { pid: child.pid ?? 0, ...JSON.parse(stdout.split('\n').at(-2) ?? '') };
  };
  return { child, ended, run };
}

const runWriter = async (...args: Parameters<typeof startWriter>): Promise<WriterRun> =>
  (await startWriter(...args)).run();

const textOf = (root: string): string => readFileSync(join(root, DAY, LINES_NAME), 'utf8');
const parse = (line: string): DiagnosticRecord => diagnosticRecordSchema.parse(JSON.parse(line));

/** The records of all lines; throws for a line that is not a complete record. */
function recordsIn(root: string): DiagnosticRecord[] {
  const lines = textOf(root).split('\n');
  expect(lines.pop()).toBe('');
  return lines.map(parse);
}

const pagesIn = (root: string): string[] =>
  readdirSync(join(root, DAY)).filter((name) => name.endsWith('.md'));

describe('two processes that write the same day', () => {
  const into = folder.file('shared');
  const numbersOf = (records: readonly DiagnosticRecord[], pid: number): number[] =>
    records.filter(({ session_id }) => session_id === String(pid)).map(({ query }) => query.query_length);

  it('write each of 10,000 lines once, in the order of each process', async () => {
    const runs = await Promise.all([runWriter(into, 5_000, 7), runWriter(into, 5_000, 50)]);
    const records = recordsIn(into);
    const numbers = Array.from({ length: 5_000 }, (_, n) => n);
    expect(runs).toMatchObject([
      { written: 5_000, failures: [] },
      { written: 5_000, failures: [] },
    ]);
    expect(records).toHaveLength(10_000);
    expect(new Set(records.map(({ diagnostic_id }) => diagnostic_id)).size).toBe(10_000);
    expect(runs.map(({ pid }) => numbersOf(records, pid))).toEqual([numbers, numbers]);
    expect(pagesIn(into)).toHaveLength(10_000);
  }, 120_000);

  it('can be listed backwards, page by page', async () => {
    const archive = new DiagnosticArchive(into, { maxBytes: 1_048_576 });
    const seen = new Set<string>();
    let before: string | undefined;
    do {
      const page = await archive.list({}, { limit: 500, before });
      for (const { diagnostic_id } of page.records) seen.add(diagnostic_id);
      before = page.next ?? undefined;
      expect(page.skipped).toBe(0);
    } while (before !== undefined);
    expect(seen.size).toBe(10_000);
  }, 60_000);
});

describe('a reader of a file that is being written', () => {
  it('yields every record once', async () => {
    const into = mkdtempSync(folder.file('followed-'));
    const stop = new AbortController();
    const news = new DiagnosticArchive(into, { pollMs: 5 }).follow(stop.signal);
    const written = runWriter(into, 1_000, 20);
    const seen = new Set<string>();
    for await (const { diagnostic_id } of news) {
      seen.add(diagnostic_id);
      if (seen.size === 1_000) stop.abort();
    }
    expect(await written).toMatchObject({ written: 1_000 });
    expect(recordsIn(into).map(({ diagnostic_id }) => diagnostic_id)).toEqual([...seen]);
  }, 60_000);
});

describe('a full disk', () => {
  let disk: SmallDisk;

  beforeAll(() => (disk = smallDisk(folder.file('disk'))));
  afterAll(() => disk.remove());

  it('causes a warning and a counter, and leaves only complete lines', async () => {
    const shell = disk.options.shell?.replace('timeout -s KILL 20', 'timeout -s KILL 60');
    const { written, failed, dropped, failures } = await runWriter(disk.path, 3_000, 20, shell);
    expect(written).toBeGreaterThan(20);
    expect(failed).toBeGreaterThan(20);
    expect(written + failed + dropped).toBe(3_000);
    // A record that can't be written may be followed by a smaller one that can.
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThan(20);
    expect(recordsIn(disk.path).length).toBeGreaterThanOrEqual(written);
  }, 90_000);

  it('leaves a gap only, when there is space again', async () => {
    disk.grow();
    const before = recordsIn(disk.path).length;
    expect(await runWriter(disk.path, 100, 10)).toMatchObject({ written: 100, failed: 0, failures: [] });
    expect(recordsIn(disk.path)).toHaveLength(before + 100);
  }, 60_000);
});

describe('a process that is killed while it writes', () => {
  it(`leaves only complete lines, ${KILLS} times`, async () => {
    const into = folder.file('killed');
    const random = randomFrom(SEED);
    for (let i = 0; i < KILLS; i++) {
      const { child, ended } = await startWriter(into, 0, 200);
      await after(20 + random() * 60);
      child.kill('SIGKILL');
      await ended;
      // Text after the last newline is torn; the next process removes it.
      expect(() => textOf(into).split('\n').slice(0, -1).map(parse)).not.toThrow();
    }
    const before = textOf(into).split('\n').length - 1;
    expect(await runWriter(into, 1, 1)).toMatchObject({ written: 1, failed: 0 });
    expect(recordsIn(into)).toHaveLength(before + 1);
  }, 120_000);

  it('leaves a torn line that the next process repairs', async () => {
    const into = folder.file('torn');
    await runWriter(into, 10, 1);
    appendFileSync(join(into, DAY, LINES_NAME), textOf(into).slice(0, 5_000));
    await Promise.all([runWriter(into, 200, 3), runWriter(into, 200, 3)]);
    expect(recordsIn(into)).toHaveLength(410);
  }, 60_000);
});

describe('old diagnostics', () => {
  it('are removed, and nothing else', async () => {
    const into = folder.file('aged');
    await runWriter(into, 50, 10);
    const foreign = ['2026-01-04/notes.md', 'other/retrieval_diagnostics.jsonl'];
    for (const name of foreign) {
      mkdirSync(dirname(join(into, name)), { recursive: true });
      writeFileSync(join(into, name), '');
    }
    symlinkSync(join(into, 'other'), join(into, '2026-01-03'));
    const onDay = (now: number) =>
      removeOldDiagnostics({
        folder: into,
        retentionDays: 14,
        now: () => now,
        steady: () => now,
        timeLimitMs: 5_000,
      });
    expect(await onDay(Date.UTC(2026, 0, 19))).toEqual({ removed: 0 });
    expect(await onDay(Date.UTC(2026, 0, 20))).toEqual({ removed: 51 });
    expect(readdirSync(into).sort()).toEqual(['2026-01-03', '2026-01-04', 'other']);
    expect(readdirSync(join(into, 'other'))).toEqual([LINES_NAME]);
  }, 60_000);
});
