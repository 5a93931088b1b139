import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { buildIndex } from '../../support/build-index.js';
import { aQuery } from '../../support/indexed-documents.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const PAGE = '# Instrumentation\n\nCreate a tracer before the first span.\n';
let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
  writeFiles(folder.file('docs'), {
    'sdk/a/_index.md': '---\ntitle: Go\n---\nStart here.\n',
    'sdk/a/manual.md': PAGE,
    'sdk/b/_index.md': '---\ntitle: Ruby\n---\nStart here.\n',
    'sdk/b/manual.md': PAGE.replace('first', 'very first'),
    'sdk/c/_index.md': '---\ntitle: Rust\n---\nStart here.\n',
    'sdk/c/manual.md': PAGE.replace('first', 'outer'),
  });
});
afterEach(() => folder.remove());

const build = (rebuild = false) =>
  buildIndex(folder.file('docs'), folder.file(rebuild ? 'new.sqlite' : 'index.sqlite'), rebuild);

/** The pages alike that are found, best first, with the titles above each and its score. */
async function found(query: string, file = 'index.sqlite') {
  const index = makePort('sections', new SqliteReader(folder.file(file), embedderNamed('lsa')));
  const { candidates } = await index.search(aQuery(query, { scope: { projectId: 'docs' } }));
  await index.close();
  return candidates
    .filter(({ section }) => section.id.endsWith('manual.md'))
    .map(({ document, score }) => [document.path, document.trail.join(' > '), score]);
}

describe('the place of a page', () => {
  it.each([
    ['Go', 'sdk/a/manual.md'],
    ['Ruby', 'sdk/b/manual.md'],
    ['Rust', 'sdk/c/manual.md'],
  ])('prefers the page of %s among pages alike', async (language, id) => {
    await build();
    const [best] = await found(`create a tracer span in ${language}`);
    expect(best?.slice(0, 2)).toEqual([id, language]);
  });

  it('indexes the pages below a folder again when its title changes, and no others', async () => {
    await build();
    writeFiles(folder.file('docs'), { 'sdk/b/_index.md': '---\ntitle: Crystal\n---\nStart here.\n' });
    expect(await build()).toMatchObject({ parsed: 2, unchanged: 4 });
    await build(true);
    const query = 'create a tracer span in Crystal';
    expect((await found(query))[0]?.slice(0, 2)).toEqual(['sdk/b/manual.md', 'Crystal']);
    expect(await found(query)).toEqual(await found(query, 'new.sqlite'));
    expect(await found('Ruby')).toEqual([]);
  });

  it('is read from the sidebars of a site beside the folder', async () => {
    const sidebars = { docs: { Guides: ['sdk/a/manual'] } };
    writeFiles(folder.file('website'), { 'sidebars.json': JSON.stringify(sidebars) });
    await build();
    expect((await found('create a tracer span in Guides'))[0]?.slice(0, 2)).toEqual([
      'sdk/a/manual.md',
      'Guides',
    ]);
  });

  it('leaves pages unchanged when only the text of an index page changes', async () => {
    await build();
    writeFiles(folder.file('docs'), { 'sdk/b/_index.md': '---\ntitle: Ruby\n---\nBegin here.\n' });
    expect(await build()).toMatchObject({ parsed: 1, unchanged: 5 });
  });
});
