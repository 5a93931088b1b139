import { embedderNamed } from '../../../src/sqlite/latent/embedder-named.js';
import { makePort, SqliteReader } from '../../../src/sqlite/reader-ports.js';
import { buildIndex } from '../../support/build-index.js';
import { aQuery } from '../../support/indexed-documents.js';
import { type TestFolder, testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => {
  folder = testFolder();
});
afterEach(() => folder.remove());

const build = async (files: Readonly<Record<string, string>>) => {
  writeFiles(folder.file('docs'), files);
  return (await buildIndex(folder.file('docs'), folder.file('index.sqlite'))).graph;
};

/** Ids of the sections that contain a word, below a path. */
async function found(term: string, pathPrefix: string) {
  const index = makePort('sections', new SqliteReader(folder.file('index.sqlite'), embedderNamed('lsa')));
  const filter = { docTags: null, updatedAfter: null, pathPrefix };
  const { candidates } = await index.search(aQuery(term, { scope: { projectId: 'docs' }, filter }));
  await index.close();
  return candidates.map(({ section }) => section.id);
}

describe('links between pages', () => {
  it('lead to pages and headings by name, and by an alias that comes later', async () => {
    const note = 'See [[Heron roost]], [[Heron roost#Nests|nests]] and [[Ardea]].';
    const pages = { 'note.md': note, 'birds/heron-roost.md': '# Roost\n\nBig.\n\n## Nests\n\nHigh.\n' };
    expect(await build(pages)).toMatchObject({ links: 2, unresolved: 1, examples: ['note.md: [[Ardea]]'] });
    const named = `---\naliases: [Ardea]\n---\n${pages['birds/heron-roost.md']}`;
    expect(await build({ 'birds/heron-roost.md': named })).toMatchObject({ links: 3, unresolved: 0 });
  });

  it('are related pages below such a heading', async () => {
    const text = '# Roost\n\nSee [[Home page]].\n\n## See also\n\n- [[Grey egret]]\n';
    const { edges } = await build({ 'a.md': text, 'home page.md': 'Hi.', 'grey egret.md': 'Grey.' });
    expect(edges).toMatchObject({ RELATED_TO: 2 });
  });

  it('are counted by form if they were not understood', async () => {
    const text =
      '[a]({{< ref "gone.md" >}}) [b]({{< ref "lost.md" >}}) <xref:Some.Type> [c](https://example.org/x.html)';
    expect(await build({ 'a.md': `${text} [[bin]]` })).toMatchObject({
      unresolved: 0,
      unread: { '{{< ref >}}': 2, '[[…]]': 1, 'xref:': 1 },
    });
  });

  it('to names in another form of Unicode are alive', async () => {
    const graph = await build({
      'a.md': '[e](caf\u00e9s/entre\u0301es.md#d\u00eener)',
      'cafe\u0301s/entr\u00e9es.md': '# Di\u0302ner\n\nFood.',
    });
    expect(graph).toMatchObject({ links: 1, unresolved: 0 });
  });
});

describe('the paths of an index', () => {
  it('are composed, and differ for two files whose names differ in their form only', async () => {
    await build({
      'cafe\u0301/a.md': 'One crane.',
      'b/caf\u00e9.md': 'A crane.',
      'b/cafe\u0301.md': 'No crane.',
    });
    expect(await found('crane', 'caf\u00e9/')).toEqual(['caf\u00e9/a.md']);
    expect((await found('crane', 'b/')).sort()).toEqual(['b/cafe\u0301.md', 'b/caf\u00e9.md']);
  });
});
