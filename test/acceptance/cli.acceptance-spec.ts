import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectClient, type TestClient } from '../support/mcp-clients.js';
import { type Finished, pithIndex, type PithProcess, poll, runAll, startPith } from '../support/processes.js';
import { startStdio } from '../support/stdio-process.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SENTENCE = 'after twelve hours without a sign of life';
const QUESTION = 'When does a ship leave the waiting list?';
const NOBODY = 65_534;

/** A folder of the test with these files. */
function folderOf(name: string, files: Record<string, string | Buffer>): string {
  const path = folder.file(name);
  mkdirSync(path, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

const startHelp = () =>
  runAll({
    help: [['--help']],
    version: [['--version']],
    nothing: [[]],
    indexHelp: [['index', '--help']],
    unknownCommand: [['serach']],
    unknownOption: [['index', FIXTURE_CORPUS, '--fast']],
    noFolder: [['index']],
    noQuestion: [['ask']],
  });

const startIndexing = () => {
  const to = (name: string) => ['--index', folder.file(name)];
  const partial = folderOf('partial', {
    'good.md': '# Good\n\nThe crane lifts forty tonnes.\n',
    'bad.md': '---\ntitle: [unclosed\n---\n# Bad\n',
    'binary.md': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3, 0xff, 0xfe]),
  });
  return runAll({
    done: [['index', FIXTURE_CORPUS, ...to('done index.sqlite')]],
    missing: [['index', folder.file('nowhere'), ...to('a.sqlite')]],
    empty: [['index', folderOf('empty', {}), ...to('b.sqlite')]],
    noDocuments: [['index', folderOf('pictures', { 'a.png': 'x', 'b.zip': 'y' }), ...to('c.sqlite')]],
    file: [['index', join(FIXTURE_CORPUS, 'index.md'), ...to('d.sqlite')]],
    partial: [['index', partial, ...to('partial.sqlite')]],
    allowed: [['index', partial, '--allow-partial', ...to('allowed.sqlite')]],
    unwritable: [['index', FIXTURE_CORPUS, '--index', '/dev/null/index.sqlite']],
    onFolder: [['index', FIXTURE_CORPUS, '--index', folder.path]],
    byVariable: [['index', 'docs here'], { cwd: workplace(), env: { PITH_INDEX: 'own/by variable.sqlite' } }],
  });
};

/** A working directory with a folder of documents whose name has a space. */
function workplace(): string {
  const path = folderOf('work place', {});
  cpSync(FIXTURE_CORPUS, join(path, 'docs here'), { recursive: true });
  return path;
}

const startAsking = () =>
  runAll({
    answered: [['ask', QUESTION, '--index', index]],
    keywords: [
      ['ask', 'How long may a vessel stay silent?', '-k', 'sign of life', '-k', 'ship', '--index', index],
    ],
    json: [['ask', QUESTION, '--json', '--index', index]],
    nothing: [['ask', 'xylophone zeppelin', '--index', index]],
    blank: [['ask', '  ', '--index', index]],
    noIndex: [['ask', QUESTION, '--index', folder.file('none.sqlite')]],
    doctor: [['doctor', '--index', index]],
    sickDoctor: [['doctor', '--index', folder.file('none.sqlite')]],
  });

const startWithSettings = () => {
  const ask = ['ask', QUESTION, '--index', index];
  return runAll({
    wrongValue: [ask, { env: { PITH_CALL_TIMEOUT_MS: 'soon', MCP_RENDER: 'loud' } }],
    unknown: [ask, { env: { PITH_SCRATCH_TTL: '60' } }],
    diagnostics: [ask, { env: { RETRIEVAL_DIAGNOSTICS_ENABELD: '1' } }],
    nearMiss: [ask, { env: { MCP_TOOLSETS: 'core' } }],
    unrelated: [ask, { env: { MCP_SOMEBODY_ELSE: '1', MAX_OLD_SPACE: '1' } }],
    doctor: [['doctor', '--index', index], { env: { PITH_SCRATCH_TTL: '60' } }],
    noSuchTag: [['doctor', '--index', index], { env: { PITH_DOC_TAGS: 'gudie,guide' } }],
  });
};

let help: Awaited<ReturnType<typeof startHelp>>;
let indexing: Awaited<ReturnType<typeof startIndexing>>;
let asking: Awaited<ReturnType<typeof startAsking>>;
let settings: Awaited<ReturnType<typeof startWithSettings>>;

beforeAll(async () => {
  await pithIndex(FIXTURE_CORPUS, index);
  help = await startHelp();
  indexing = await startIndexing();
  asking = await startAsking();
  settings = await startWithSettings();
}, 40_000);

afterAll(() => folder.remove());

/** Expects an error message without a stack and nothing on stdout. */
function complaintOf({ code, stdout, stderr }: Finished): {
  code: number | null;
  stdout: string;
  stack: unknown;
} {
  return { code, stdout, stack: /\n\s+at .*:\d+/.exec(stderr)?.[0] };
}

describe('pith --help', () => {
  it.each(['index', 'ask', 'stdio', 'http', 'doctor'])('names %s', (command) => {
    expect(help.help).toMatchObject({ code: 0, stderr: '' });
    expect(help.help.stdout).toMatch(new RegExp(`^ +${command}\\b`, 'm'));
  });

  it('contains examples', () => {
    expect(help.help.stdout).toContain('$ pith index ./docs');
    expect(help.help.stdout).toContain('$ pith ask "');
  });

  it('explains each command with its options and exit codes', () => {
    expect(help.indexHelp.stdout).toMatch(/--index <file>.*PITH_INDEX/);
    expect(help.indexHelp.stdout).toContain('--watch');
    expect(help.indexHelp.stdout).toMatch(/Exit codes: 0 .*1 .*2 .*3 /s);
  });

  it('is shown when there is no command, which is wrong usage', () => {
    expect(help.nothing.code).toBe(2);
    expect(`${help.nothing.stdout}${help.nothing.stderr}`).toContain('pith index');
  });
});

describe('pith --version', () => {
  it('prints the version alone', () => {
    expect(help.version).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\S*\n$/),
    });
  });
});

describe('wrong usage', () => {
  it.each([
    ['unknownCommand', 'serach'],
    ['unknownOption', '--fast'],
    ['noFolder', 'source'],
    ['noQuestion', 'question'],
  ] as const)('exits with 2 and names the wrong word: %s', (name, word) => {
    expect(complaintOf(help[name])).toEqual({ code: 2, stdout: '', stack: undefined });
    expect(help[name].stderr).toContain(word);
    expect(help[name].stderr).toContain('--help');
  });
});

describe('pith index', () => {
  it('exits with 0 and reports files, sections and seconds', () => {
    expect(indexing.done.code).toBe(0);
    expect(indexing.done.stdout).toMatch(/7 documents, \d+ sections/);
    expect(indexing.done.stdout).toMatch(/\d\.\d s/);
    expect(indexing.done.stdout).toContain('done index.sqlite');
  });

  it.each([
    ['missing', 'nowhere'],
    ['empty', 'empty'],
    ['noDocuments', 'pictures'],
    ['unwritable', '/dev/null'],
    ['onFolder', 'index'],
  ] as const)('exits with 1 and names the path: %s', (name, path) => {
    expect(complaintOf(indexing[name])).toEqual({ code: 1, stdout: '', stack: undefined });
    expect(indexing[name].stderr).toContain(path);
  });

  it('takes a single file as a source', () => {
    expect(indexing.file.code).toBe(0);
    expect(indexing.file.stdout).toContain('1 document,');
  });

  it('leaves no file if there is nothing to index', () => {
    expect(readdirSync(folder.path).filter((name) => /^[abc]\.sqlite/.test(name))).toEqual([]);
  });

  it('exits with 3 if files were skipped, and names each with its reason', () => {
    expect(indexing.partial.code).toBe(3);
    expect(indexing.partial.stdout).toContain('1 document');
    expect(indexing.partial.stdout).toMatch(/bad\.md(?::\d+)?: \S+/);
    expect(indexing.partial.stdout).toMatch(/binary\.md(?::\d+)?: \S+/);
  });

  it('exits with 0 instead with --allow-partial, and names them as well', () => {
    expect(indexing.allowed.code).toBe(0);
    expect(indexing.allowed.stdout).toMatch(/bad\.md(?::\d+)?: \S+/);
  });

  it('uses the path in PITH_INDEX, which may be relative and contain spaces, and creates its folder', () => {
    expect(indexing.byVariable).toMatchObject({ code: 0, stderr: '' });
    expect(readdirSync(folder.file('work place/own'))).toContain('by variable.sqlite');
  });

  it('parses nothing the second time, and accepts a path with a slash at its end', async () => {
    const again = await runAll({
      again: [['index', `${FIXTURE_CORPUS}/`, '--index', folder.file('done index.sqlite')]],
    });
    expect(again.again).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/0 parsed, 7 unchanged, 0 removed/),
    });
  });
});

describe('pith ask', () => {
  it('prints the evidence and its sources', () => {
    expect(asking.answered).toMatchObject({ code: 0, stderr: '' });
    expect(asking.answered.stdout).toContain(SENTENCE);
    expect(asking.answered.stdout).toContain('guides/waiting-list.mdx#leaving-the-list');
  });

  it('accepts keywords', () => {
    expect(asking.keywords).toMatchObject({ code: 0, stdout: expect.stringContaining(SENTENCE) });
  });

  it('prints the result of the tool as JSON', () => {
    const { quotes } = JSON.parse(asking.json.stdout) as { quotes: { quote: string }[] };
    expect(quotes[0]?.quote).toContain(SENTENCE);
  });

  it('reports that nothing was found, and exits with 0', () => {
    expect(asking.nothing).toMatchObject({ code: 0, stdout: expect.stringMatching(/nothing found/i) });
  });

  it('refuses a blank question', () => {
    expect(complaintOf(asking.blank)).toEqual({ code: 1, stdout: '', stack: undefined });
  });

  it('explains how to create a missing index', () => {
    expect(complaintOf(asking.noIndex)).toEqual({ code: 1, stdout: '', stack: undefined });
    expect(asking.noIndex.stderr).toContain(`pith index <folder> --index "${folder.file('none.sqlite')}"`);
  });
});

describe('pith doctor', () => {
  it('exits with 0 and lists the checks if all pass', () => {
    expect(asking.doctor).toMatchObject({ code: 0, stderr: '' });
    expect(asking.doctor.stdout).toContain(process.versions.node);
    expect(asking.doctor.stdout).toMatch(/7 documents/);
  });

  it.each(['Claude Desktop', 'Claude Code', 'Cursor', 'VS Code', 'Windsurf', 'Zed', 'Gemini CLI', 'Codex'])(
    'prints configuration for %s',
    (host) => {
      expect(asking.doctor.stdout).toContain(host);
    },
  );

  it('prints configuration that starts this server on this index, spaces or not', () => {
    const json = /\{\n\s+"mcpServers"[\s\S]*?\n\}/.exec(asking.doctor.stdout)?.[0] ?? '';
    const { mcpServers } = JSON.parse(json) as { mcpServers: { pith: { command: string; args: string[] } } };
    expect(mcpServers.pith).toEqual({
      command: process.execPath,
      args: [expect.stringMatching(/bin\/pith\.js$/), 'stdio', '--index', index],
    });
    expect(asking.doctor.stdout).toContain(`"${index}"`);
  });

  it('exits with 1 if a check fails, with a hint', () => {
    expect(asking.sickDoctor.code).toBe(1);
    expect(asking.sickDoctor.stdout).toMatch(/WRONG.*none\.sqlite/);
    expect(asking.sickDoctor.stdout).toContain('pith index');
  });

  it('names a tag of the settings that no document has', () => {
    expect(settings.noSuchTag.code).toBe(1);
    expect(settings.noSuchTag.stdout).toMatch(
      /WRONG PITH_DOC_TAGS: no document of the index has "gudie"\n +Correct it\. Did you mean guide\? The index has: /,
    );
    expect(settings.noSuchTag.stdout.match(/WRONG/g)).toHaveLength(1);
  });

  it('reports wrong settings', () => {
    expect(settings.doctor.code).toBe(1);
    expect(settings.doctor.stdout).toContain('PITH_SCRATCH_TTL_S');
  });
});

describe('settings', () => {
  it('with wrong values prevent the start; each is named with its allowed values', () => {
    expect(complaintOf(settings.wrongValue)).toEqual({ code: 2, stdout: '', stack: undefined });
    expect(settings.wrongValue.stderr).toMatch(/PITH_CALL_TIMEOUT_MS: expected 100 to 120000/);
    expect(settings.wrongValue.stderr).toMatch(/MCP_RENDER: expected auto, summary or full/);
  });

  it('with our prefixes that do not exist prevent the start; the nearest name is suggested', () => {
    expect(complaintOf(settings.unknown)).toEqual({ code: 2, stdout: '', stack: undefined });
    expect(settings.unknown.stderr).toMatch(/PITH_SCRATCH_TTL .*PITH_SCRATCH_TTL_S/);
    expect(complaintOf(settings.diagnostics)).toEqual({ code: 2, stdout: '', stack: undefined });
    expect(settings.diagnostics.stderr).toContain('RETRIEVAL_DIAGNOSTICS_ENABELD');
  });

  it('with a name close to a known one cause a warning', () => {
    expect(settings.nearMiss).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/MCP_TOOLSETS.*MCP_TOOLSET\?/),
    });
  });

  it('of other programs are ignored', () => {
    expect(settings.unrelated).toMatchObject({ code: 0, stderr: '' });
  });
});

const asRoot = process.getuid?.() === 0 ? describe : describe.skip;

asRoot('a read-only folder with an index, for another user', () => {
  it('is served', async () => {
    const path = folderOf('read only', {});
    const file = join(path, 'index.sqlite');
    copyFileSync(index, file);
    chmodSync(folder.path, 0o755);
    chmodSync(file, 0o444);
    chmodSync(path, 0o555);
    const server = startStdio(file, { uid: NOBODY });
    await server.initialize();
    const reply = await server.request('tools/call', {
      name: 'kb.retrieve_evidence',
      arguments: { question: QUESTION },
    });
    const { code } = await server.stop();
    expect(JSON.stringify(reply.result)).toContain(SENTENCE);
    expect(readdirSync(path)).toEqual(['index.sqlite']);
    expect(code).toBe(0);
  });

  it('rejects an index run, with the reason', async () => {
    const path = folderOf('read only too', {});
    chmodSync(folder.path, 0o755);
    chmodSync(path, 0o555);
    const indexed = await runAll({
      denied: [['index', FIXTURE_CORPUS, '--index', join(path, 'index.sqlite')], { uid: NOBODY }],
    });
    expect(complaintOf(indexed.denied)).toEqual({ code: 1, stdout: '', stack: undefined });
    expect(indexed.denied.stderr).toContain('read only too');
  });
});

describe('pith index that Ctrl+C ends', () => {
  it('reports that the next run continues from here, and the next run does', async () => {
    const corpus = mkdtempSync(folder.file('many-'));
    const index = `${corpus}.sqlite`;
    const text = 'The crane lifts forty tonnes and `setLoad()` tells it so.\n\n'.repeat(40);
    for (let i = 0; i < 1_500; i++)
      writeFileSync(join(corpus, `f${i}.md`), `# File ${i}\n\n${text}\n## More\n\n${text}`);
    const first = startPith(['index', corpus, '--index', index]);
    await poll('reading', () => (first.stderr().includes('300 of 1500 files') ? true : undefined), 30_000);
    first.child.kill('SIGINT');
    expect(await first.finished).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(/the next run continues from here\.\n$/),
    });
    const next = startPith(['index', corpus, '--index', index]);
    const { code, stdout, stderr } = await next.finished;
    expect(code).toBe(0);
    expect(Number(/(\d+) reused from an unfinished run/.exec(stdout)?.[1])).toBeGreaterThan(100);
    expect(stderr).toMatch(/publishing: sections\n(publishing: .+\n)*publishing: names\n/);
  }, 60_000);
});

describe('pith index --watch', () => {
  let corpus: string;
  let watcher: PithProcess;
  let client: TestClient;

  beforeEach(async () => {
    corpus = mkdtempSync(folder.file('watched-'));
    const watched = `${corpus}.sqlite`;
    writeFileSync(join(corpus, 'a.md'), '# Cranes\n\nThe crane lifts forty tonnes.\n');
    watcher = startPith(['index', corpus, '--index', watched, '--watch']);
    await poll('watching', () => (/watching/i.test(watcher.stderr()) ? true : undefined));
    client = await connectClient({ era: 'v2', transport: 'stdio', index: watched });
  });

  afterEach(() => Promise.all([client?.close(), watcher.stop()]));

  const sectionsOn = async (query: string): Promise<string[]> => {
    const { results } = (await client.call('kb.search', { query })).structuredContent as {
      results: { section_id: string }[];
    };
    return results.map(({ section_id }) => section_id);
  };

  it('indexes new, changed and deleted documents, and ends cleanly', async () => {
    writeFileSync(join(corpus, 'b.md'), '# Bollards\n\nA bollard holds a rope.\n');
    writeFileSync(join(corpus, 'a.md'), '# Cranes\n\nThe derrick lifts fifty tonnes.\n');
    await poll('the new document', async () =>
      (await sectionsOn('bollard')).includes('b.md') ? true : undefined,
    );
    await poll('the change', async () => ((await sectionsOn('derrick')).includes('a.md') ? true : undefined));
    const lines = await poll('the line of the run', () => {
      const told = watcher.stdout().split('\n').slice(3);
      return told.some((line) => line !== '') ? told : undefined;
    });
    expect(lines[0]).toMatch(/^[ab]\.md( and 1 more)?: \d parsed, \d unchanged, 0 removed; \d\.\d s$/);
    expect(lines.filter((line) => /documents?,|Graph/.test(line))).toEqual([]);
    const { code, signal } = await watcher.stop();
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(await sectionsOn('forty')).toEqual([]);
  });
});
