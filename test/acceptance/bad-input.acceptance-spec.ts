import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../src/sqlite/driver.js';
import { FIXTURE_CORPUS, testFolder } from '../support/build-index.js';
import { inspectIndex } from '../support/check-index.js';
import { generateCorpus } from '../support/corpora.js';
import {
  type CallResult,
  connectClient,
  type HttpProcess,
  startHttpProcess,
  type TestClient,
} from '../support/mcp-clients.js';
import { countsOf, type PithRun, runPith } from '../support/run-pith.js';
import { TRANSPORTS } from '../support/sites.js';
import { type SmallDisk, smallDisk } from '../support/small-disk.js';

const folder = testFolder();

afterAll(() => {
  runs.forEach((path) => chmodSync(path, 0o755));
  folder.remove();
});

/** Folders to make writable again before they are removed. */
const runs: string[] = [];

function write(path: string, content: string | Buffer): string {
  const file = folder.file(path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
  return file;
}

const index = (source: string, file: string): Promise<PithRun> =>
  runPith(['index', folder.file(source), '--index', folder.file(file)]);

const ask = (question: string, file: string): Promise<PithRun> =>
  runPith(['ask', question, '--json', '--index', folder.file(file)]);

interface Evidence {
  readonly quotes: readonly { readonly quote: string; readonly section_id: string }[];
}

const evidenceOf = ({ stdout }: PithRun): Evidence => JSON.parse(stdout) as Evidence;

/** A message for people: one or two lines that name the problem, without a stack trace. */
const isClear = ({ stderr }: PithRun): boolean => /^pith: /m.test(stderr) && !/\n\s+at /.test(stderr);

describe('folders', () => {
  it('reports an empty folder, and makes no index', async () => {
    mkdirSync(folder.file('empty'), { recursive: true });
    const run = await index('empty', 'empty.sqlite');
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining(folder.file('empty')) });
    expect(isClear(run)).toBe(true);
    expect(await ask('anything', 'empty.sqlite')).toMatchObject({ code: 1 });
  });

  it('keeps the index of a folder that was emptied', async () => {
    write('emptied/a.md', '# A\n\nThe kestrel.\n');
    await index('emptied', 'emptied.sqlite');
    mkdirSync(folder.file('other/emptied'), { recursive: true });
    const run = await index('other/emptied', 'emptied.sqlite');
    expect(run.code).toBe(1);
    expect(evidenceOf(await ask('kestrel', 'emptied.sqlite')).quotes).toHaveLength(1);
  });

  it('reports a folder that is missing or is a file', async () => {
    const missing = await index('missing', 'missing.sqlite');
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining(folder.file('missing')) });
    write('file.md', '# A');
    const file = await index('file.md', 'missing.sqlite');
    expect(file).toMatchObject({ code: 1, stderr: expect.stringContaining('file.md') });
    expect([isClear(missing), isClear(file)]).toEqual([true, true]);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('missing'))).toEqual([]);
  });
});

describe('files that can’t be indexed', () => {
  let run: PithRun;
  let good: PithRun;

  beforeAll(async () => {
    write('mixed/good.md', '# Good\n\nThe kestrel is well.\n');
    chmodSync(write('mixed/secret.md', '# Secret\n\nNobody reads this.\n'), 0o000);
    chmodSync(dirname(write('mixed/locked/inside.md', '# Inside\n')), 0o000);
    runs.push(folder.file('mixed/locked'));
    write('mixed/huge.md', Buffer.alloc(50 * 1_048_576, 'The kestrel is huge.\n'));
    write(
      'mixed/latin.md',
      Buffer.concat([Buffer.from('# Latin\n\nfine\n\nGr'), Buffer.from([0xfc, 0x6e, 0x0a])]),
    );
    write('mixed/yaml.md', '---\ntitle: Fine\ntags: [a, b\nother: : x\n---\n\n# Yaml\n\nText.\n');
    write(
      'mixed/binary.md',
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0xff]),
    );
    write('mixed/void.md', '');
    mkdirSync(folder.file('mixed/loop'));
    symlinkSync('..', folder.file('mixed/loop/up'));
    symlinkSync('self.md', folder.file('mixed/self.md'));
    symlinkSync('/etc/hostname', folder.file('mixed/outside.md'));
    run = await runPith(['index', folder.file('mixed'), '--index', folder.file('mixed.sqlite')], {
      unprivileged: true,
    });
    good = await ask('How is the kestrel?', 'mixed.sqlite');
  }, 60_000);

  it('are skipped, and the rest is indexed', () => {
    expect(countsOf(run)).toMatchObject({ documents: 2, parsed: 2 });
    expect(evidenceOf(good).quotes[0]).toMatchObject({ section_id: 'good.md' });
  });

  it('end the run with the exit code for "done, with skipped files"', () => {
    expect(run).toMatchObject({ code: 3 });
  });

  it.each([
    ['an unreadable file', /^ +secret\.md: .*permission/m],
    ['an unreadable folder', /^ +locked: .*permission/m],
    ['a 50 MB file, with both sizes', /^ +huge\.md: 524288\d\d .*20971520/m],
    ['invalid UTF-8, with its line', /^ +latin\.md:5: .*UTF-8/m],
    ['broken YAML, with its line', /^ +yaml\.md:[345]: front matter partly read: \S/m],
    ['a binary that is named .md', /^ +binary\.md:\d+: \S/m],
    ['a link that points at itself', /^ +self\.md: .*link/m],
    ['a link that leaves the folder', /^ +outside\.md: .*link/m],
  ])('are named with their reason: %s', (_, line) => {
    expect(run.stdout).toMatch(line);
  });

  it('are not followed in circles', () => {
    expect(run.stdout).not.toMatch(/up\/|loop\/up\/loop/);
    expect(run.seconds).toBeLessThan(20);
  });

  it('keep the version of the previous run', async () => {
    write('kept/a.md', '# A\n\nThe kestrel nests high.\n');
    write('kept/b.md', '# B\n\nThe heron waits.\n');
    await index('kept', 'kept.sqlite');
    write('kept/a.md', Buffer.from([0x41, 0x0a, 0xff, 0xfe]));
    const broken = await index('kept', 'kept.sqlite');
    expect(broken).toMatchObject({ code: 3, stdout: expect.stringMatching(/ a\.md:\d+: /) });
    expect(evidenceOf(await ask('kestrel', 'kept.sqlite')).quotes[0]).toMatchObject({ section_id: 'a.md' });
  });

  it.each([
    ['can’t be opened', 'shut', 0o000],
    ['can be listed, though no file in it can be read', 'listed', 0o444],
  ])('keep the published documents of a folder that %s', async (_, name, mode) => {
    write(`${name}/open.md`, '# Open\n\nThe heron waits.\n');
    write(`${name}/inner/deep/b.md`, '# B\n\nThe osprey dives.\n');
    const inner = dirname(write(`${name}/inner/a.md`, '# A\n\nThe kestrel nests high.\n'));
    await index(name, `${name}.sqlite`);
    runs.push(inner);
    chmodSync(inner, mode);
    const args = ['index', folder.file(name), '--index', folder.file(`${name}.sqlite`)];
    const again = await runPith(args, { unprivileged: true });
    expect(again).toMatchObject({ code: 3, stdout: expect.stringMatching(/^ +inner.*permission/m) });
    expect(countsOf(again)).toMatchObject({ documents: 3, removed: 0 });
    const { quotes } = evidenceOf(await ask('kestrel osprey', `${name}.sqlite`));
    expect(quotes.map(({ section_id }) => section_id).sort()).toEqual(['inner/a.md', 'inner/deep/b.md']);
  });

  it('are also named if no file is left', async () => {
    write('hopeless/latin.md', Buffer.from([0x41, 0x0a, 0xff, 0xfe]));
    const hopeless = await index('hopeless', 'hopeless.sqlite');
    expect(hopeless).toMatchObject({ code: 1, stderr: expect.stringMatching(/latin\.md:\d+/) });
  });
});

describe('100,000 small files', () => {
  it('are indexed', async () => {
    for (let i = 0; i < 100_000; i++) {
      if (i % 1_000 === 0) mkdirSync(folder.file(`many/d${i / 1_000}`), { recursive: true });
      const file = folder.file(`many/d${Math.floor(i / 1_000)}/f${i}.md`);
      writeFileSync(file, `# File ${i}\n\nThis small page number ${i} speaks of item${i} only.\n`);
    }
    const run = await index('many', 'many.sqlite');
    console.log(`100,000 files: ${run.seconds.toFixed(1)} s, peak RSS ${Math.round(run.peakMb)} MB`);
    expect(run.code).toBe(0);
    expect(countsOf(run)).toMatchObject({ documents: 100_000, sections: 100_000, parsed: 100_000 });
    const [quote] = evidenceOf(await ask('item77123', 'many.sqlite')).quotes;
    expect(quote).toMatchObject({ section_id: 'd77/f77123.md' });
  }, 900_000);
});

describe('odd documents', () => {
  beforeAll(async () => {
    write('odd/long-heading.md', `# Top\n\n## Zephyr ${'long '.repeat(2_048)}\n\nUnder the long one.\n`);
    write('odd/no-headings.md', 'A page about quagga and nothing else.\n\nIts second paragraph.\n');
    write('odd/cjk.md', '# 設定\n\n設定ファイルを保存するには、保存ボタンを押します。\n');
    write('odd/rtl.md', '# إعدادات\n\nلإعادة تشغيل الخادم اضغط على الزر الأحمر.\n');
    write('odd/name with  spaces & #hash%.md', '# Spaces\n\nThe okapi is here.\n');
    await index('odd', 'odd.sqlite');
  });

  it.each([
    ['a heading of 10 KB', 'zephyr', 'long-heading.md#', 'long'],
    ['a document without headings', 'quagga', 'no-headings.md', 'A page about quagga'],
    ['Japanese', '設定ファイルを保存する方法は？', 'cjk.md', '設定ファイルを保存するには'],
    ['Japanese words', '設定ファイル 保存', 'cjk.md', '設定ファイルを保存するには'],
    ['Arabic', 'كيف أعيد تشغيل الخادم؟', 'rtl.md', 'الخادم اضغط'],
    ['a file name of odd characters', 'okapi', 'name%20with%20%20spaces%20&%20%23hash%25.md', 'The okapi'],
  ])('answer: %s', async (_, question, section, quoted) => {
    const { quotes } = evidenceOf(await ask(question, 'odd.sqlite'));
    expect(quotes[0]?.section_id).toContain(section);
    expect(quotes[0]?.quote).toContain(quoted);
    expect(Buffer.byteLength(quotes[0]?.section_id ?? '')).toBeLessThanOrEqual(1_024);
  });
});

describe('an index of another version', () => {
  beforeAll(async () => {
    write('aged/a.md', '# A\n\nThe kestrel.\n');
    await index('aged', 'aged.sqlite');
    const database = openDatabase(folder.file('aged.sqlite'));
    database.exec(`UPDATE meta SET value = '{"schema":0}' WHERE key = 'identity'`);
    database.close();
  });

  it('is refused by commands, with the next step', async () => {
    const run = await ask('kestrel', 'aged.sqlite');
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('pith index') });
    expect(isClear(run)).toBe(true);
  });

  it('is refused by servers with index_incompatible', async () => {
    const client = await connectClient({ era: 'v1', transport: 'stdio', index: folder.file('aged.sqlite') });
    const { structuredContent } = await client.call('kb.search', { query: 'kestrel' });
    await client.close();
    const error = { code: 'BACKEND_UNAVAILABLE', details: { reason: 'index_incompatible' } };
    expect(structuredContent).toMatchObject({ error });
  });

  it('is rebuilt by the next index run, with a message', async () => {
    const run = await index('aged', 'aged.sqlite');
    expect(run).toMatchObject({ code: 0, stderr: expect.stringMatching(/version/) });
    expect(countsOf(run)).toMatchObject({ documents: 1, parsed: 1 });
    expect(evidenceOf(await ask('kestrel', 'aged.sqlite')).quotes).toHaveLength(1);
  });

  it('is distinguished from a file that is not an index', async () => {
    write('garbage.sqlite', 'no database '.repeat(1_000));
    const [read, written] = [await ask('kestrel', 'garbage.sqlite'), await index('aged', 'garbage.sqlite')];
    expect([read.code, written.code]).toEqual([1, 1]);
    expect([isClear(read), isClear(written)]).toEqual([true, true]);
  });
});

describe('a read-only disk', () => {
  const place = (): string => folder.file('readonly');

  beforeAll(async () => {
    write('ro-docs/a.md', '# A\n\nThe kestrel.\n');
    mkdirSync(place());
    await index('ro-docs', 'readonly/index.sqlite');
    write('ro-docs/b.md', '# B\n\nThe heron.\n');
    readdirSync(place()).forEach((name) => chmodSync(join(place(), name), 0o444));
    chmodSync(place(), 0o555);
    runs.push(place());
  });

  const unprivileged = (args: readonly string[]): Promise<PithRun> =>
    runPith([...args, '--index', folder.file('readonly/index.sqlite')], { unprivileged: true });

  it('serves its index', async () => {
    const run = await unprivileged(['ask', 'kestrel', '--json']);
    expect(run.stderr).toBe('');
    expect(evidenceOf(run).quotes).toHaveLength(1);
  });

  it('is named by a run that has to write to it', async () => {
    const run = await unprivileged(['index', folder.file('ro-docs')]);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('readonly/index.sqlite') });
    expect(isClear(run)).toBe(true);
  });

  it('is named if the folder for the index can’t be created', async () => {
    const file = folder.file('readonly/deep/index.sqlite');
    const run = await runPith(['index', folder.file('ro-docs'), '--index', file], { unprivileged: true });
    expect(run.code).toBe(1);
    expect(isClear(run)).toBe(true);
  });
});

describe('a full disk', () => {
  let disk: SmallDisk;
  const file = (): string => join(disk.path, 'index.sqlite');

  beforeAll(async () => {
    disk = smallDisk(folder.file('disk'));
    write('grown/page.md', '# Page\n\nThe kestrel was here first.\n');
    await runPith(['index', folder.file('grown'), '--index', file()]);
    generateCorpus(folder.file('grown'), { documents: 200, sectionsPerDocument: 12, sentences: 8 });
  });

  afterAll(() => disk.remove());

  it('ends the run with a clear error', async () => {
    const run = await runPith(['index', folder.file('grown'), '--index', file()], disk.options);
    expect(run).toMatchObject({ code: 1, signal: null });
    expect(run.stderr).not.toContain('pith: unexpected error');
    expect(isClear(run)).toBe(true);
    expect(run.seconds).toBeLessThan(10);
  }, 30_000);

  it('leaves the old index complete and readable', async () => {
    const run = await runPith(['ask', 'kestrel', '--json', '--index', file()]);
    expect(evidenceOf(run).quotes).toHaveLength(1);
    expect(inspectIndex(file())).toMatchObject({ integrity: 'ok', documents: 1, sections: 1 });
  });

  it('does not affect the next run when there is space again', async () => {
    disk.grow();
    const run = await runPith(['index', folder.file('grown'), '--index', file()]);
    const { documents, parsed, resumed, unchanged } = countsOf(run);
    expect(run.code).toBe(0);
    expect(documents).toBe(201);
    expect(parsed + resumed + unchanged).toBe(201);
  }, 30_000);
});

describe.each(TRANSPORTS)('bad calls of a %s client over %s', (era, transport) => {
  const file = folder.file(`calls ${era} ${transport}.sqlite`);
  let client: TestClient;
  let foreign: TestClient;
  let http: HttpProcess | undefined;

  const errorOf = ({ isError, structuredContent }: CallResult): unknown => {
    const { error } = structuredContent as { error?: { code: string; details: { reason: string } } };
    return isError && `${error?.code} ${error?.details.reason}`;
  };
  const call = async (name: string, args: Record<string, unknown>): Promise<unknown> =>
    errorOf(await client.call(name, args));

  beforeAll(async () => {
    await runPith(['index', FIXTURE_CORPUS, '--index', file]);
    http = transport === 'http' ? await startHttpProcess(file) : undefined;
    client = await connectClient({ era, transport, index: file, url: http?.url });
    foreign = await connectClient({ era: 'v1', transport: 'stdio', index: file });
  }, 30_000);

  afterAll(async () => {
    await client.close();
    await foreign.close();
    await http?.stop();
  });

  it('refuses a query of 1 MB and answers the next call', async () => {
    const query = 'kestrel '.repeat(131_072);
    const refused = await call('kb.search', { query }).catch((error: unknown) => String(error));
    // Over HTTP the limit of the body may apply first.
    expect(String(refused)).toMatch(/^INVALID_ARGUMENT invalid_input$|413|too large/i);
    expect(await call('kb.search', { query: 'ship' })).toBeUndefined();
  });

  it('accepts a query of control characters', async () => {
    const query = Array.from({ length: 160 }, (_, code) => String.fromCharCode(code)).join('');
    expect(await call('kb.search', { query })).toBeUndefined();
    expect(await call('kb.retrieve_evidence', { question: query })).toBeUndefined();
  });

  it.each([
    ['kb.search', { query: 'x', topk: 3 }],
    ['kb.search', { query: 'x', scope: { project: 'x' } }],
    ['kb.search', { query: 'x', options: { rerank: true } }],
    ['kb.retrieve_evidence', { question: 'x', filters: { tag: ['a'] } }],
    ['kb.read_excerpt', { passage_id: 'x', max_chars: 3 }],
    ['scope.describe', { verbose: true }],
    ['scratch.list', { session_id: 'x' }],
  ])('refuses unknown fields of %s: %j', async (name, args) => {
    expect(await call(name, args)).toBe('INVALID_ARGUMENT unknown_field');
  });

  it.each([
    ['made up', 'Zm9yZ2VkIGN1cnNvcg'],
    ['no base64 at all', '%%%'],
    [
      'its parts without the signature',
      Buffer.from('5.aaaaaaaaaaaaaaaa.bbbbbbbbbbbbbbbb.').toString('base64url'),
    ],
  ])('refuses a cursor that is %s', async (_, cursor) => {
    expect(await call('kb.search', { query: 'ship', cursor })).toBe('INVALID_ARGUMENT cursor_invalid');
  });

  it('refuses a cursor that was changed or belongs to another query', async () => {
    const query = 'the port authority ship list';
    const page = await client.call('kb.search', { query, page_size: 1, options: { max_per_doc: 5 } });
    const cursor = String(page.structuredContent?.['next_cursor']);
    const forged = Buffer.from(cursor, 'base64url').toString('latin1').replace(/^\d+/, '3');
    const changed = Buffer.from(forged, 'latin1').toString('base64url');
    const again = { query, page_size: 1, options: { max_per_doc: 5 } };
    expect(await call('kb.search', { ...again, cursor })).toBeUndefined();
    expect(await call('kb.search', { ...again, cursor: changed })).toBe('INVALID_ARGUMENT cursor_invalid');
    expect(await call('kb.search', { ...again, query: 'other', cursor })).toBe(
      'INVALID_ARGUMENT cursor_invalid',
    );
  });

  it('answers a foreign passage id like an unknown one', async () => {
    const page = await foreign.call('kb.search', { query: 'ship' });
    const [{ passage_id }] = page.structuredContent?.['results'] as [{ passage_id: string }];
    const unknown = 'A'.repeat(24);
    const [theirs, none] = [
      await client.call('kb.read_excerpt', { passage_id }),
      await client.call('kb.read_excerpt', { passage_id: unknown }),
    ];
    expect(errorOf(theirs)).toBe('INVALID_ARGUMENT passage_not_found');
    expect({ ...theirs, _meta: null }).toEqual({ ...none, _meta: null });
  });

  it('reads its own passage as a resource, only under its exact URI', async () => {
    const page = await client.call('kb.search', { query: 'ship' });
    const [{ scratch_uri: uri }] = page.structuredContent?.['results'] as [{ scratch_uri: string }];
    const [, session = '', passage = ''] = /scratch\/([^/]+)\/(.+)$/.exec(uri) ?? [];
    const spellings = [
      'file:///etc/passwd',
      'http://localhost/x',
      `file://scratch/${session}/${passage}`,
      `wekadocs2://scratch/${session}/${passage}`,
      `WEKADOCS://scratch/${session}/${passage}`,
      `wekadocs://other/${session}/${passage}`,
      `wekadocs://scratch/${session}/../${session}/${passage}`,
      `wekadocs://scratch/${session}/..%2F${passage}`,
      `wekadocs://scratch/${session}/%2e%2e/${passage}`,
      `wekadocs://scratch/${session}/${passage}/`,
      `wekadocs://scratch/${session}/${passage}?x=1`,
      `wekadocs://scratch/${session}/${passage}#x`,
      `wekadocs://scratch/${session}/${passage}%00`,
      `wekadocs://scratch/${'A'.repeat(24)}/${passage}`,
      `wekadocs://scratch/${session}/%zz`,
      `wekadocs://scratch/${session}/${'A'.repeat(5_000)}`,
      'wekadocs://scratch/',
      'wekadocs://',
      'x',
      '',
    ];
    const outcomes: unknown[] = [];
    for (const spelling of spellings) {
      const failure = await client.readResource(spelling).then(
        () => 'was read',
        (error: { data?: { code?: string } }) => error.data?.code ?? String(error),
      );
      if (failure !== 'INVALID_ARGUMENT') outcomes.push([spelling.slice(0, 80), failure]);
    }
    expect((await client.readResource(uri)).contents[0]?.text).toEqual(expect.stringMatching(/ship/i));
    expect(outcomes).toEqual([]);
  }, 30_000);
});

describe('a question on the command line', () => {
  beforeAll(async () => {
    await runPith(['index', FIXTURE_CORPUS, '--index', folder.file('cli.sqlite')]);
  });

  it.each([
    ['of 100 KB', 'kestrel '.repeat(12_500)],
    ['of nothing', ''],
    ['of blanks', '   '],
  ])('is refused if it is one %s', async (_, question) => {
    const run = await ask(question, 'cli.sqlite');
    expect(run.code).toBe(1);
    expect(isClear(run)).toBe(true);
  });

  it('is answered if it consists of control characters', async () => {
    expect(await ask('\u0001\u0002 ship \u001b[31m', 'cli.sqlite')).toMatchObject({ code: 0, stderr: '' });
  });
});
