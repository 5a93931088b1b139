import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connectClient } from '../support/mcp-clients.js';
import { pithIndex, runAll } from '../support/processes.js';
import { type PithRun, runPith } from '../support/run-pith.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SECRET = 'swordfish';

afterAll(() => folder.remove());

function write(name: string, ...lines: readonly (object | string)[]): string {
  const file = folder.file(name);
  writeFileSync(file, lines.map((l) => (typeof l === 'string' ? l : JSON.stringify(l))).join('\n'));
  return file;
}

const thought = (text: string, parts: object = {}): object => ({ table: 'thoughts', text, ...parts });

/** Runs `pith memory …` on an index of the test. */
function memory(args: readonly string[], name = 'index.sqlite', env = {}): Promise<PithRun> {
  return runPith(['memory', ...args, '--index', folder.file(name)], { env });
}

describe('pith memory --help', () => {
  it('explains the commands, the format and the exit codes', async () => {
    const help = await runAll({
      memory: [['memory', '--help']],
      import: [['memory', 'import', '--help']],
      nothing: [['memory']],
      program: [['--help']],
    });
    expect(help.memory.stdout).toMatch(/import .*reembed .*status .*forget /s);
    expect(help.import.stdout).toMatch(/kg_observations.*Exit codes: 0 .*1 .*2 .*3 /s);
    expect(help.import.stdout).toContain('server-memory');
    expect(help.nothing.code).toBe(2);
    expect(help.program.stdout).toMatch(/^ +memory\b/m);
  });
});

describe('pith memory import', () => {
  it('imports rows and counts them, and changes nothing the second time', async () => {
    const file = write('two.jsonl', thought('The kestrel hovers.'), thought('The owl sleeps.'));
    const first = await memory(['import', file], 'two.sqlite');
    const second = await memory(['import', file], 'two.sqlite');
    expect([first.code, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(/2 rows of jsonl in .*two\.sqlite/);
    expect(first.stdout).toMatch(/2 added, 0 updated, 0 unchanged, 0 removed, 0 skipped; \d+\.\d s/);
    expect(second.stdout).toMatch(/0 added, 0 updated, 2 unchanged, 0 removed, 0 skipped/);
  });

  it('exits with 3 if lines were skipped, and names each as FILE:LINE without its content', async () => {
    const file = write(
      'bad.jsonl',
      thought('The kestrel.'),
      `{"table":"thoughts","text":"${SECRET}`,
      thought(SECRET, { mood: SECRET }),
      { table: SECRET, text: SECRET },
      thought(SECRET, { embedding: [1], embedding_model: 'm', embedding_dim: 3 }),
      thought('The owl.'),
    );
    const { code, stdout, stderr } = await memory(['import', file], 'bad.sqlite');
    expect(code).toBe(3);
    expect(stdout).toMatch(/2 added, .* 4 skipped/);
    expect(stdout).toContain(`${file}:2: it is not JSON`);
    expect(stdout).toContain(`${file}:3: Unrecognized key: "mood"`);
    expect(stdout).toContain(`${file}:4: table:`);
    expect(stdout).toContain(`${file}:5: embedding:`);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  it('keeps earlier rows for an empty file, and explains how to remove them', async () => {
    await memory(['import', write('emptied.jsonl', thought('The kestrel.'))], 'emptied.sqlite');
    const kept = await memory(['import', write('emptied.jsonl')], 'emptied.sqlite');
    const replaced = await memory(['import', write('emptied.jsonl'), '--replace'], 'emptied.sqlite');
    expect(kept.stdout).toMatch(/0 removed.*\nThe file has no rows.*--replace/s);
    expect(replaced.stdout).toMatch(/1 removed/);
    expect(replaced.stdout).not.toContain('--replace');
  });

  it('names a hundred skipped lines and counts the rest', async () => {
    const file = write('many.jsonl', ...Array.from({ length: 150 }, () => '{'));
    const { code, stdout } = await memory(['import', file], 'many.sqlite');
    expect(code).toBe(3);
    expect(stdout.split('\n').filter((line) => line.includes('it is not JSON'))).toHaveLength(100);
    expect(stdout).toContain('and 50 more');
  });

  it.each<[string, number, string[], RegExp]>([
    ['a file that is not there', 1, ['import', 'nowhere.jsonl'], /nowhere\.jsonl/],
    ['an unknown format', 2, ['import', 'x', '--format', 'csv'], /jsonl/],
    ['no file', 2, ['import'], /file/],
    ['no memory to look at', 1, ['status'], /pith memory import/],
    ['no memory to embed', 1, ['reembed'], /pith memory import/],
    ['no memory to forget', 1, ['forget', 'x'], /pith memory import/],
  ])('explains the error of %s without a stack: %i', async (_, code, args, words) => {
    const run = await memory(args, 'absent.sqlite');
    expect(run).toMatchObject({ code, stdout: '' });
    expect(run.stderr).toMatch(words);
    expect(run.stderr).not.toMatch(/\n\s+at .*:\d+/);
  });

  it('rejects the database of another program and leaves it unchanged', async () => {
    const notes = write('notes.sqlite', 'These are my notes. '.repeat(100));
    const before = readFileSync(notes, 'utf8');
    const run = await memory(['import', write('x.jsonl', thought('x'))], 'notes.sqlite');
    expect(run.code).toBe(1);
    expect(readFileSync(notes, 'utf8')).toBe(before);
  });
});

describe('rows with embeddings of another model', () => {
  it('are not searched until pith memory reembed, which reports their number', async () => {
    const embedding = { embedding: [0.1, 0.2], embedding_model: 'text-embedding-3-small' };
    const file = write('foreign.jsonl', thought('The kestrel.', embedding), thought('The owl.'));
    await memory(['import', file], 'foreign.sqlite');
    const before = await memory(['status'], 'foreign.sqlite');
    const reembedded = await memory(['reembed'], 'foreign.sqlite');
    const after = await memory(['status'], 'foreign.sqlite');
    expect(before.stdout).toMatch(/1 row with import text-embedding-3-small \(2 dimensions\)/);
    expect(before.stdout).toMatch(/1 row not searchable .*; run pith memory reembed/);
    expect(reembedded.stdout).toMatch(/2 rows embedded with pith .*; 1 of them were not searchable before/);
    expect(after.stdout).not.toContain('not searchable');
  });
});

describe('sources', () => {
  it('leave nothing of their texts in the file when they are forgotten', async () => {
    const texts = Array.from({ length: 200 }, (_, at) => thought(`${SECRET} ${at} hovers.`));
    await memory(['import', write('secret.jsonl', ...texts), '--source', 'mine'], 'erased.sqlite');
    expect(readFileSync(folder.file('erased.sqlite')).includes(SECRET)).toBe(true);
    await memory(['forget', 'mine'], 'erased.sqlite');
    const left = readdirSync(folder.path).filter((name) => name.startsWith('erased.sqlite'));
    expect(left.filter((name) => readFileSync(folder.file(name)).includes(SECRET))).toEqual([]);
  });

  it('are listed by status and removed by forget', async () => {
    const one = write('one.jsonl', thought('The kestrel.'));
    await memory(['import', one], 'sources.sqlite');
    await memory(['import', write('other.jsonl', thought('The owl.')), '--source', 'mine'], 'sources.sqlite');
    const before = await memory(['status'], 'sources.sqlite');
    const forgotten = await memory(['forget', 'mine'], 'sources.sqlite');
    const again = await memory(['forget', 'mine'], 'sources.sqlite');
    expect(before.stdout).toContain(`${one}: 1 row`);
    expect(before.stdout).toContain('mine: 1 row');
    expect(forgotten).toMatchObject({ code: 0, stdout: '1 row removed\n' });
    expect(again.code).toBe(1);
  });
});

describe('memory and documents in one file', () => {
  const status = async (): Promise<string> => (await memory(['status'])).stdout.split('\n')[0] ?? '';
  const ONE = /^1 row in .*: 1 thought, 0 entities, 0 observations; 0 private$/;

  it('may begin with memory: searches then fail with index_missing, and nothing is broken', async () => {
    await memory(['import', write('first.jsonl', thought('The kestrel hovers.'))]);
    const client = await connectClient({ era: 'v1', transport: 'stdio', index });
    const { structuredContent } = await client.call('kb.search', { query: 'ship' });
    await client.close();
    const { stdout } = await runPith(['doctor', '--index', index]);
    expect(structuredContent).toMatchObject({
      error: { code: 'BACKEND_UNAVAILABLE', details: { reason: 'index_missing' } },
    });
    expect(stdout).toContain('There is no index at');
  });

  it('can be indexed and rebuilt without changing memory', async () => {
    await pithIndex(FIXTURE_CORPUS, index);
    expect(await status()).toMatch(ONE);
    await pithIndex(FIXTURE_CORPUS, index, '--rebuild');
    expect(await status()).toMatch(ONE);
    const asked = await runPith(['ask', 'When does a ship leave the waiting list?', '--index', index]);
    expect(asked.stdout).toContain('after twelve hours without a sign of life');
  });

  it('can be rebuilt for another embedder without changing memory', async () => {
    const env = { PITH_EMBEDDER: 'none' };
    const run = await runPith(['index', FIXTURE_CORPUS, '--index', index], { env });
    expect(run.stderr).toContain('Rebuilding the whole index');
    expect(await status()).toMatch(ONE);
    expect((await memory(['status'], 'index.sqlite', env)).stdout).toContain('tf-idf');
  });
});
