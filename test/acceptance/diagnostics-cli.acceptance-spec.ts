import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiagnosticWriter } from '../../src/diagnostics/archive/diagnostic-writer.js';
import { diagnosticRecordSchema } from '../../src/diagnostics/record/diagnostic-record.js';
import { aDiagnosticRecord, type DiagnosticParts } from '../support/a-diagnostic.js';
import { GOLDEN } from '../support/diagnosed-calls.js';
import { cleanEnv } from '../support/mcp-clients.js';
import { poll, runAll, startPith } from '../support/processes.js';
import { type PithRun, runPith } from '../support/run-pith.js';
import { testFolder } from '../support/test-folder.js';

const folder = testFolder();
const dir = folder.file('reports here');
const DAY = '2026-01-31';
const lines = readFileSync(join(GOLDEN, 'retrieval_diagnostics.jsonl'), 'utf8').trimEnd().split('\n');
const golden = lines.map((line) => diagnosticRecordSchema.parse(JSON.parse(line)));

/** Runs `pith diagnostics …` on the folder of the test. */
function diagnostics(command: string, ...args: readonly string[]): Promise<PithRun> {
  return runPith(['diagnostics', command, '--dir', dir, ...args]);
}

async function write(into: string, ...records: readonly DiagnosticParts[]): Promise<void> {
  const writer = new DiagnosticWriter({ folder: into, onFailure: (error) => expect(error).toBeNull() });
  for (const parts of records) writer.write(aDiagnosticRecord(parts));
  await writer.flush();
}

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

beforeAll(async () => {
  const writer = new DiagnosticWriter({ folder: dir, onFailure: (error) => expect(error).toBeNull() });
  for (const record of golden) writer.write(record);
  await writer.flush();
});

afterAll(() => folder.remove());

describe('pith diagnostics --help', () => {
  it('explains the commands, their options and exit codes', async () => {
    const help = await runAll({
      all: [['diagnostics', '--help']],
      why: [['diagnostics', 'why', '--help']],
      replay: [['diagnostics', 'replay', '--help']],
      list: [['diagnostics', 'list', '--help']],
      program: [['--help']],
      nothing: [['diagnostics']],
    });
    expect(help.all.stdout).toMatch(/list .*show .*tail .*replay .*why /s);
    expect(help.why.stdout).toMatch(/--max-per-doc.*/s);
    expect(help.why.stdout).toMatch(/Exit codes: 0 .*1 .*2 /s);
    expect(help.replay.stdout).toMatch(/RETRIEVAL_DIAGNOSTICS_STORE_QUERY_TEXT.*Exit codes: 0 .*1 .*2 /s);
    expect(help.list.stdout).toMatch(/--min-ms.*--answerable/s);
    expect(help.program.stdout).toMatch(/^ +diagnostics\b/m);
    expect(help.nothing.code).toBe(2);
  });
});

describe('pith diagnostics show', () => {
  it('prints the page of each golden record, and with --json the record', async () => {
    expect(golden.length).toBeGreaterThan(1);
    for (const record of golden) {
      const id = record.diagnostic_id;
      const [page, json] = await Promise.all([diagnostics('show', id), diagnostics('show', id, '--json')]);
      expect([page.code, page.stderr, json.code, json.stderr]).toEqual([0, '', 0, '']);
      expect(page.stdout).toBe(readFileSync(join(GOLDEN, `${id}.md`), 'utf8'));
      expect(JSON.parse(json.stdout)).toEqual(record);
    }
  });

  it('finds an id in capitals, also in the folder of the settings', async () => {
    const id = golden[0]?.diagnostic_id ?? '';
    const env = { PITH_INDEX: 'index.sqlite', RETRIEVAL_DIAGNOSTICS_DIR: 'reports here' };
    const run = await runPith(['diagnostics', 'show', id.toUpperCase()], { cwd: folder.path, env });
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(run.stdout).toContain(id);
  });

  it.each([
    ['a path', '../../../etc/passwd'],
    ['a path to a record', `2026-01-31/${uuid(1)}`],
    ['nothing', ''],
    ['a wildcard', '*'],
    ['an escape sequence', '\u001b[2J\u001b]0;owned\u0007'],
    ['64 KB', 'a'.repeat(65_536)],
    ['an id with one character missing', uuid(1).slice(1)],
  ])('does not accept %s as an id', async (_, id) => {
    const run = await diagnostics('show', '--', id);
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/is not a diagnostic id\.\n +A diagnostic id is a UUID/);
    expect(run.stderr.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
    expect(run.stderr).not.toMatch(/\n\s+at .*:\d+/);
    expect(run.stderr.length).toBeLessThan(400);
  });

  it('gives a next step for an unknown id', async () => {
    const run = await diagnostics('show', uuid(404));
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(
      /There is no diagnostic .* in .*reports here\.\n +.*--dir.*pith diagnostics list/,
    );
  });

  it('gives a next step for an unreadable folder', async () => {
    const closed = folder.file('closed');
    mkdirSync(closed, { mode: 0, recursive: true });
    const run = await runPith(['diagnostics', 'list', '--dir', closed], { unprivileged: true });
    expect(run).toMatchObject({ code: 1, stdout: '' });
    expect(run.stderr).toMatch(/can't be read: EACCES.*\n +.*--dir/);
  });
});

describe('pith diagnostics list', () => {
  it('lists newest first in 100 columns, with the next step', async () => {
    const { code, stdout } = await diagnostics('list');
    const [head = '', ...rows] = stdout.split('\n\n')[0]?.split('\n') ?? [];
    expect(code).toBe(0);
    expect(head).toMatch(/^time \(UTC\) +tool +ms found outcome +id$/);
    const questions = golden.flatMap(({ query }) => query.raw ?? []);
    expect(questions.length).toBeGreaterThan(0);
    expect(rows).toHaveLength(golden.length + questions.length);
    expect(rows.filter((row) => row.startsWith('  '))).toEqual(questions.map((text) => `  “${text}”`));
    expect(Math.max(...stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(100);
    expect(stdout).toMatch(/\n\nTo show one: pith diagnostics show [0-9a-f-]{36}\n$/);
    const json = await diagnostics('list', '--json');
    const listed: { timestamp: string }[] = JSON.parse(json.stdout);
    const times = listed.map(({ timestamp }) => timestamp);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('filters the list by each option, and by several together', async () => {
    const into = folder.file('narrow');
    const at = (time: string): string => `${DAY}T${time}.000Z`;
    await write(
      into,
      { diagnostic_id: uuid(1), timestamp: at('10:00:00'), tool: 'kb.search' },
      {
        diagnostic_id: uuid(2),
        timestamp: at('11:00:00'),
        error: { code: 'TIMEOUT', reason: 'deadline', message: null },
      },
      { diagnostic_id: uuid(3), timestamp: at('12:00:00'), degraded: ['graph'], session_id: 'mine' },
      { diagnostic_id: uuid(4), timestamp: at('13:00:00'), budgets: { partial: true }, tool: 'search_docs' },
      {
        diagnostic_id: uuid(5),
        timestamp: at('14:00:00'),
        timing_ms: { total: 250 },
        answerable: { verdict: 'unlikely', confidence: 0 },
      },
    );
    const ids = async (...args: readonly string[]): Promise<number[]> => {
      const { stdout } = await runPith(['diagnostics', 'list', '--dir', into, '--json', ...args]);
      const listed: { diagnostic_id: string }[] = JSON.parse(stdout);
      return listed.map(({ diagnostic_id }) => Number(diagnostic_id.slice(-2)));
    };
    expect(await ids()).toEqual([5, 4, 3, 2, 1]);
    expect(await ids('--tool', 'search_docs')).toEqual([4]);
    expect(await ids('--since', `${DAY}T12:00Z`, '--until', `${DAY}T14:00Z`)).toEqual([4, 3]);
    expect(await ids('--failed')).toEqual([2]);
    expect(await ids('--degraded', '--session', 'mine')).toEqual([3]);
    expect(await ids('--partial')).toEqual([4]);
    expect(await ids('--min-ms', '99.5')).toEqual([5]);
    expect(await ids('--answerable', 'unlikely')).toEqual([5]);
    expect(await ids('--limit', '2')).toEqual([5, 4]);
    expect(await ids('--since', '1h')).toEqual([]);
    expect(await ids('--failed', '--partial')).toEqual([]);
    const { stdout } = await runPith(['diagnostics', 'list', '--dir', into, '--limit', '2']);
    expect(stdout).toContain(`For older ones: --limit 500, or --until ${at('13:00:00')}`);
  });

  it.each([
    ['--since', 'yesterday'],
    ['--until', '99x'],
    ['--until', '99'],
    ['--limit', '0'],
    ['--limit', '501'],
    ['--limit', '1.5'],
    ['--min-ms', '-1'],
    ['--min-ms', 'fast'],
    ['--answerable', 'yes'],
    ['--format', 'csv'],
  ])('refuses %s %s, and ends with 2', async (option, value) => {
    const run = await diagnostics('list', option, value);
    expect(run).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr).toContain(option);
  });

  it('skips torn and foreign lines, and reports them', async () => {
    const into = folder.file('torn');
    await write(into, { diagnostic_id: uuid(1), timestamp: `${DAY}T10:00:00.000Z` });
    appendFileSync(join(into, DAY, 'retrieval_diagnostics.jsonl'), '{"a":1}\nnot json\n{"schema_version":1');
    const { code, stdout } = await runPith(['diagnostics', 'list', '--dir', into]);
    expect(code).toBe(0);
    expect(stdout).toContain(uuid(1));
    expect(stdout).toMatch(/\d lines could not be read and were skipped\./);
  });

  it('explains an empty list', async () => {
    const { code, stdout } = await runPith(['diagnostics', 'list', '--dir', folder.file('empty')]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/There are no diagnostics in .*empty\.\n.*RETRIEVAL_DIAGNOSTICS_FORCE=1/);
    expect((await diagnostics('list', '--since', '5m')).stdout).toMatch(/Remove some of them/);
  });
});

describe('pith diagnostics tail', () => {
  it.each([
    ['lines', [], /^\d\d-\d\d \d\d:\d\d:\d\d kb\.search .*[0-9a-f-]{36}$/],
    ['records', ['--json'], /^\{"schema_version":1.*\}$/],
  ])('prints the records of another process, as %s, until Ctrl-C', async (_, args, shape) => {
    const into = folder.file(`tail ${args.length}`);
    await write(into, { diagnostic_id: uuid(1) });
    const tail = startPith(['diagnostics', 'tail', '--dir', into, ...args]);
    await poll('tail waits', () => (tail.stderr().includes('Press Ctrl+C') ? true : undefined));
    let next = 2;
    const printed = (): string[] =>
      tail
        .stdout()
        .split('\n')
        .filter((line) => shape.test(line));
    await poll('two records are printed', async () => {
      await write(into, { diagnostic_id: uuid(next++), timestamp: new Date().toISOString() });
      return printed().length >= 2 ? true : undefined;
    });
    tail.child.kill('SIGINT');
    const { code, stderr, stdout } = await tail.finished;
    expect([code, stderr.split('\n').length]).toEqual([0, 2]);
    expect(stdout).not.toContain(uuid(1));
  });

  it('ends without an error when its output is closed', async () => {
    const into = mkdtempSync(folder.file('tail pipe '));
    const tail = startPith(['diagnostics', 'tail', '--dir', into]);
    await poll('tail waits', () => (tail.stderr().includes('Press Ctrl+C') ? true : undefined));
    tail.child.stdout.destroy();
    let next = 1;
    const ended = tail.finished.then(({ code }) => code);
    const writing = poll('tail ends', async () => {
      await write(into, { diagnostic_id: uuid(next++), timestamp: new Date().toISOString() });
      return tail.child.exitCode === null ? undefined : true;
    });
    await writing;
    expect(await ended).toBe(0);
  });
});

describe('the modules of pith diagnostics', () => {
  it.each([[['list']], [['show', golden[0]?.diagnostic_id ?? '']]])(
    'include nothing of Nest for %j',
    (args) => {
      const hook = folder.file('loaded.cjs');
      const print = 'process.stderr.write(Object.keys(require.cache).join("\\n"))';
      writeFileSync(hook, `process.on('exit', () => ${print});`);
      // The unbundled program, which shows the loaded modules.
      const program = join(__dirname, '..', '..', 'dist', 'main.cli.js');
      const command = ['--require', hook, program, 'diagnostics', ...args, '--dir', dir];
      const { status, stderr } = spawnSync(process.execPath, command, { env: cleanEnv(), encoding: 'utf8' });
      expect(status).toBe(0);
      expect(stderr).toContain('diagnostic-archive.js');
      expect(stderr.split('\n').filter((file) => /@nestjs|@rekog|rxjs|sqlite/.test(file))).toEqual([]);
    },
  );
});
