import type { SectionIndex } from '../../../src/core/ports/section-index.port.js';
import { openDatabase } from '../../../src/sqlite/driver.js';
import { anIndex, type TestIndex } from '../../support/an-index.js';
import { buildIndex } from '../../support/build-index.js';
import { aScope } from '../../support/builders.js';
import { aQuery } from '../../support/indexed-documents.js';
import { testFolder } from '../../support/test-folder.js';
import { writeFiles } from '../../support/write-files.js';

const FILES = {
  'a file (1) #2.md': '# Spaced\n\nA wharf.\n\n## Below\n\nA jetty.\n',
  'collide.md': '# Top\n\n## Foo\n\nfirst\n\n## Foo\n\nsecond\n\n## Foo 2\n\nthird\n\n## foo-2\n\nfourth\n',
  'columns.md':
    '---\nmetadata: { content: cc, heading: hh, scope: ss, text: tt }\n---\n# Columns\n\nThe body of it.\n',
  'cjk.md': '# 設定\n\n## 保存する\n\n設定ファイルを保存します。\n\n## 削除する\n\nキャッシュを消します。\n',
  'cyrillic.md': '# Сервер\n\n## Запуск\n\nПерезапустите узел.\n',
  'handbook.md': '# Persimmon Handbook\n\nWelcome aboard.\n\n## Crew\n\nWho sails.\n',
  'titled.md': '---\ntitle: Quince Almanac\n---\n\nWinds and tides.\n\n## Moon\n\nPhases.\n',
  'two-tops.md': '# One\n\nalpha\n\n## Under one\n\nbeta\n\n# Two\n\ngamma\n\n## Under two\n\ndelta\n',
  'empty.md': '',
  'blank.md': '\n \n',
  'renamed.md': '---\ntitle: Medlar Gazette\n---\n\n# Winter issue\n\nFrost and bread.\n\n## Snow\n\nDeep.\n',
  'only-title.md': '# Nothing below\n',
};

describe('irregular documents', () => {
  let built: TestIndex;
  let index: SectionIndex;
  const find = async (text: string): Promise<string[]> => {
    const query = aQuery(text, { scope: aScope(), rewrite: false });
    return (await index.search(query)).candidates.map(({ section }) => section.id);
  };
  const textOf = async (id: string): Promise<string | undefined> =>
    (await index.sections(aScope(), [id])).sections[0]?.section.text;

  beforeAll(async () => {
    built = await anIndex(FILES);
    ({ index } = built);
  });

  afterAll(() => built.remove());

  it.each([
    ['a%20file%20(1)%20%232.md#below', 'A jetty.'],
    ['a file (1) #2.md#below', 'A jetty.'],
    ['a file (1) #2.md', 'A wharf.'],
  ])('are found and read if the path has spaces: %s', async (id, text) => {
    expect(await find('jetty')).toEqual(['a%20file%20(1)%20%232.md#below']);
    expect(await textOf(id)).toBe(text);
  });

  it.each([
    ['collide.md#foo', 'first'],
    ['collide.md#foo-2', 'second'],
    ['collide.md#foo-2-2', 'third'],
    ['collide.md#foo-2-3', 'fourth'],
  ])('have unique ids if headings have equal slugs: %s', async (id, text) => {
    expect(await textOf(id)).toBe(text);
  });

  it('keep their content for all names of metadata', async () => {
    const { sections } = await index.sections(aScope(), ['columns.md']);
    expect(sections[0]).toMatchObject({
      section: { title: 'Columns', text: 'The body of it.' },
      document: { metadata: { content: 'cc', heading: 'hh', scope: 'ss', text: 'tt' } },
    });
  });

  it.each([
    ['保存', 'cjk.md#保存する'],
    ['キャッシュ', 'cjk.md#削除する'],
    ['Запуск', 'cyrillic.md#запуск'],
    ['перезапустите', 'cyrillic.md#запуск'],
  ])('are found in any script by heading and body, with ids in that script: %s', async (asked, id) => {
    expect(await find(asked)).toContain(id);
  });

  it.each([
    ['Persimmon Handbook', 'handbook.md#_preamble'],
    ['Quince Almanac', 'titled.md#_preamble'],
  ])('are found by the title of the page: %s', async (asked, id) => {
    expect((await find(asked))[0]).toBe(id);
  });

  it('are found, with every section, by the title in their front matter if the first heading differs', async () => {
    expect((await find('Medlar Gazette')).toSorted()).toEqual(['renamed.md#_preamble', 'renamed.md#snow']);
  });

  it('begin a separate section with every top-level heading', async () => {
    expect(await find('gamma')).toEqual(['two-tops.md#two']);
    const { sections } = await index.sections(aScope(), ['two-tops.md#two/under-two']);
    expect(sections[0]?.section.headingPath.slice(-2)).toEqual(['Two', 'Under two']);
  });

  it('are left out if they have no text', async () => {
    const ids = ['empty.md', 'blank.md', 'only-title.md'];
    expect((await index.sections(aScope(), ids)).sections).toEqual([]);
  });
});

describe('a folder with faulty documents', () => {
  const folder = testFolder();
  afterAll(() => folder.remove());

  it('is reported if many pages have no text; empty files do not count', async () => {
    writeFiles(folder.file('site'), { 'a.md': 'Text.\n', 'b.html': '<nav>b</nav>', 'c.md': '\n' });
    const { remarks, skipped } = await buildIndex(folder.file('site'), folder.file('site.sqlite'));
    expect(remarks).toMatchObject([{ path: '1 of 2 pages', isProblem: true }]);
    expect(skipped.map(({ reason }) => reason)).toEqual(['it has no text', 'it is empty']);
  });

  it('is indexed by the body and the readable entries if the YAML is bad', async () => {
    writeFiles(folder.file('docs'), {
      'bad.md': '---\ntitle: x\nlist: [a\nb: c\nmetadata: { version: 7.4 }\n---\nText.\n',
      'number.md': '---\nmetadata: { version: 7.4 }\n---\nText.\n',
    });
    const report = await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
    expect(report).toMatchObject({
      documents: 2,
      skipped: [],
      remarks: [
        { path: 'bad.md:4', reason: expect.stringMatching(/^front matter partly read: /), isProblem: true },
      ],
      taxonomy: [{ key: 'version', values: 1 }],
    });
  });

  it.each(['nowhere', 'nothing'])('is rejected if it is missing or empty: %s', async (name) => {
    writeFiles(folder.file('nothing'), { 'a.png': 'x' });
    const run = buildIndex(folder.file(name), folder.file('other.sqlite'));
    await expect(run).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

describe('links in HTML from Sphinx', () => {
  const folder = testFolder();
  afterAll(() => folder.remove());

  it('lead to definitions, wrapping elements and the top; links to missing ids are reported', async () => {
    const link = (href: string) => `<a href="${href}">x</a>`;
    const hrefs = ['b.html#pkg.run', 'b.html#setup', 'b.html#top', 'b.html#:~:text=Run', 'b.html#gone'];
    writeFiles(folder.file('docs'), {
      'a.html': `<h1>A</h1><p>${hrefs.map(link).join(' ')}</p>`,
      'b.html':
        '<section id="b"><h1>B</h1><p>Intro.</p><section id="setup"><span id="i"></span><h2>Run</h2>' +
        '<dl><dt id="pkg.run">run(x)</dt><dd>Runs.</dd></dl></section></section>',
    });
    const { graph } = await buildIndex(folder.file('docs'), folder.file('index.sqlite'));
    expect(graph).toMatchObject({ links: 5, unresolved: 1, examples: ['a.html: b.html#gone'] });
    const database = openDatabase(folder.file('index.sqlite'), { readOnly: true });
    const targets = database.prepare(
      `SELECT l.href, p.node_id FROM graph_link l LEFT JOIN graph_place p ON p.id = l.target_place_id ORDER BY l.id`,
    );
    const found = targets.all().map((row) => [row['href'], row['node_id']]);
    database.close();
    expect(found).toEqual([
      ['b.html#pkg.run', 'b.html#run'],
      ['b.html#setup', 'b.html#run'],
      ['b.html#top', null],
      ['b.html#:~:text=Run', null],
      ['b.html#gone', null],
    ]);
  });
});
