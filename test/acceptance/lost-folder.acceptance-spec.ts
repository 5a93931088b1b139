import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { pithIndex, type PithProcess, poll, runPith, startPith } from '../support/processes.js';
import { serve, type ServedProgram } from '../support/served-program.js';
import { type TestFolder, testFolder } from '../support/test-folder.js';
import { writeFiles } from '../support/write-files.js';

let folder: TestFolder;
const index = (): string => folder.file('index.sqlite');
const docs = (): string => folder.file('far/docs');

beforeEach(() => {
  folder = testFolder();
  writeFiles(docs(), { 'kiln.md': '# Kilns\n\nThe kiln reaches 1,240 degrees.\n' });
});
afterEach(() => folder.remove());

describe('pith index --watch', () => {
  let watcher: PithProcess;
  beforeEach(async () => {
    watcher = startPith(['index', docs(), '--index', index(), '--watch']);
    await told(/^Watching /m);
  });
  afterEach(() => watcher.stop());

  const told = (what: RegExp): Promise<boolean> =>
    poll(String(what), () => (what.test(watcher.stderr()) ? true : undefined));
  const indexed = (line: RegExp): Promise<boolean> =>
    poll(String(line), () => (line.test(watcher.stdout()) ? true : undefined));

  it.each<[string, () => void]>([
    ['removed', () => rmSync(docs(), { recursive: true })],
    ['moved away with its parent', () => renameSync(folder.file('far'), folder.file('away'))],
    [
      'replaced by a file',
      () => (rmSync(docs(), { recursive: true }), writeFiles(folder.file('far'), { docs: '' })),
    ],
  ])(
    'waits for a folder that is %s, and goes on',
    async (_, lose) => {
      lose();
      await told(/^Waiting for .*docs, which can't be read now/m);
      rmSync(folder.file('far'), { recursive: true, force: true });
      writeFiles(docs(), { 'glaze.md': '# Glazes\n\nThe glaze is celadon.\n' });
      await indexed(/^Changes: 1 parsed, 0 unchanged, 1 removed/m);
      writeFiles(docs(), { 'glaze.md': '# Glazes\n\nThe glaze is tenmoku.\n' });
      await indexed(/^glaze\.md: 1 parsed/m);
    },
    40_000,
  );

  it('follows a folder that becomes a symbolic link', async () => {
    writeFiles(folder.file('other/docs'), { 'glaze.md': '# Glazes\n\nThe glaze is celadon.\n' });
    rmSync(docs(), { recursive: true });
    symlinkSync(folder.file('other/docs'), docs());
    await indexed(/: 1 parsed, 0 unchanged, 1 removed/);
    writeFiles(folder.file('other/docs'), { 'slip.md': '# Slips\n\nA slip is liquid clay.\n' });
    await indexed(/1 parsed, 1 unchanged/);
  }, 40_000);
});

describe('pith stdio --docs', () => {
  let server: ServedProgram | undefined;
  afterEach(() => server?.close());

  const start = async (): Promise<ServedProgram> =>
    (server = await serve({ args: ['stdio', '--docs', docs(), '--index', index()], cwd: folder.path }));
  const search = async (): Promise<{
    readonly ids: string[];
    readonly text: string;
    readonly warnings: unknown;
  }> => {
    const { content, structuredContent } = await server!.call('kb.search', { query: 'kiln degrees' });
    const found = structuredContent as {
      data?: object;
      results?: { section_id: string }[];
      warnings?: unknown;
    };
    const { results = [] } = (found.data ?? found) as { results?: { section_id: string }[] };
    const text = content.map((part) => part.text ?? '').join('\n');
    return { ids: results.map(({ section_id }) => section_id), text, warnings: found.warnings };
  };

  it('serves no document that was removed, also the last one', async () => {
    await pithIndex(docs(), index());
    rmSync(`${docs()}/kiln.md`);
    await start();
    await poll('an empty index', async () => ((await search()).ids.length === 0 ? true : undefined));
  }, 30_000);

  it('says in its replies since when the folder is missing', async () => {
    await pithIndex(docs(), index());
    renameSync(docs(), folder.file('away'));
    await start();
    const lost = await poll('a reply that says so', async () => {
      const reply = await search();
      return reply.text.includes('could not be read') ? reply : undefined;
    });
    expect(lost.ids).toEqual(['kiln.md']);
    expect(lost.text).toMatch(
      /^The documents could not be read and indexed since \d{4}-\d\d-\d\dT[\d:.]+Z\./m,
    );
  }, 30_000);
});

describe('pith index', () => {
  it('empties the index of a folder whose last document was removed', async () => {
    await pithIndex(docs(), index());
    rmSync(`${docs()}/kiln.md`);
    expect(await runPith(['index', docs(), '--index', index()])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^0 documents, 0 sections .*\nThe folder has no documents any more/),
    });
  });

  it.each<[string, () => void]>([
    ['missing', () => rmSync(docs(), { recursive: true })],
    [
      'another empty one',
      () => (
        rmSync(docs(), { recursive: true }),
        mkdirSync(folder.file('new/docs'), { recursive: true }),
        symlinkSync(folder.file('new/docs'), docs())
      ),
    ],
  ])('fails and keeps the index if the folder is %s', async (_, lose) => {
    await pithIndex(docs(), index());
    lose();
    expect((await runPith(['index', docs(), '--index', index()])).code).toBe(1);
    const { stdout } = await runPith(['ask', 'How hot does the kiln get?', '--index', index()]);
    expect(stdout).toContain('1,240 degrees');
  });

  it('ends with 1 for an index in a folder that the system never makes', async () => {
    expect(await runPith(['index', docs(), '--index', '/proc/pith/i.sqlite'])).toMatchObject({ code: 1 });
  });
});
