import { execFileSync } from 'node:child_process';
import { readTrails } from '../../../../src/ingest/trails/read-trails.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

let folder: TestFolder;
beforeEach(() => (folder = testFolder()));
afterEach(() => folder.remove());

/** The titles above a page of a corpus with these files. */
const trailIn = (files: Readonly<Record<string, string>>, page: string): readonly string[] =>
  placeIn(files, page).trail;

function placeIn(
  files: Readonly<Record<string, string>>,
  page: string,
): ReturnType<ReturnType<typeof readTrails>> {
  writeFiles(folder.file('docs'), files);
  const all = Object.keys(files).map((path) => ({ path, absolute: folder.file(`docs/${path}`) }));
  const isPage = ({ path }: { path: string }): boolean => path.endsWith('.md');
  return readTrails(
    all.filter(isPage),
    all.filter((file) => !isPage(file)),
  )(page);
}

const RUBY = { 'sdk/_index.md': '# SDKs\n', 'sdk/rb/_index.md': '# Ruby\n', 'sdk/rb/traces.md': 'A.' };

describe('readTrails', () => {
  it('reads the titles of the folders above a page, outermost first', () => {
    expect(trailIn(RUBY, 'sdk/rb/traces.md')).toEqual(['SDKs', 'Ruby']);
  });

  it('places the page of a folder beside the folder', () => {
    expect(trailIn(RUBY, 'sdk/rb/_index.md')).toEqual(['SDKs']);
  });

  it('prefers a category file to an index page', () => {
    const files = { 'rb/_category_.json': '{"label": "Ruby"}', 'rb/index.md': '# Start\n', 'rb/a.md': 'A.' };
    expect(trailIn(files, 'rb/a.md')).toEqual(['Ruby']);
  });

  it('gives pages of the root no title of its index page', () => {
    expect(trailIn({ 'index.md': '# Home\n', 'a.md': 'A.' }, 'a.md')).toEqual([]);
  });

  it.each([
    ['broken YAML', { 'rb/_category_.yml': 'label: [', 'rb/a.md': 'A.' }],
    ['bytes that are not text', { 'rb/_index.md': '\0', 'rb/a.md': 'A.' }],
    ['a file that is too large', { 'rb/_index.md': `# Ruby\n${'a'.repeat(1_000_000)}`, 'rb/a.md': 'A.' }],
  ])('ignores %s', (_, files) => {
    expect(trailIn(files, 'rb/a.md')).toEqual([]);
  });

  it('keeps the eight innermost titles', () => {
    const folders = 'abcdefghij'.split('').map((_, at, all) => all.slice(0, at + 1).join('/'));
    const titles = folders.map((path) => [
      `${path}/_index.md`,
      `# ${path.slice(-1)}
`,
    ]);
    const page = `${folders.at(-1)}/page.md`;
    expect(trailIn({ ...Object.fromEntries(titles), [page]: 'A.' }, page)).toEqual([...'cdefghij']);
  });
});

describe('readTrails of navigation files', () => {
  const PAGES = { 'docs/a.md': 'A.', 'docs/b/index.md': '# B\n', 'docs/b/c.md': 'C.' };

  it.each([
    [
      'mkdocs.yml',
      'nav:\n- a.md\n- Guides:\n  - b/index.md\n  - Deep:\n    - Page: b/c.md\nx: !!python/name:y\n',
    ],
    ['docs/SUMMARY.md', '# Summary\n\n- [A](a.md)\n\n## Guides\n\n- Deep\n  - [C](./b/c.md#x)\n'],
    ['docs/toc.yml', '- name: A\n  href: a.md\n- name: Guides\n  items:\n  - name: Deep\n    href: b/\n'],
    [
      'sidebars.js',
      "// @ts-check\nconst sidebars = {\n  docs: ['a', {type: 'category', label: 'Guides', items: [{Deep: ['b/c']}],}],\n};\nmodule.exports = sidebars;\n",
    ],
    ['sidebars.json', '{"docs": {"Guides": [{"type": "category", "label": "Deep", "items": ["b/c"]}]}}'],
    [
      'website/sidebars.json',
      '{"docs": {"Guides": [{"type": "category", "label": "Deep", "items": ["b/c"]}]}}',
    ],
  ])('reads %s', (name, text) => {
    const files = { ...PAGES, 'docs/b/toc.yml': '- name: C\n  href: c.md\n', [name]: text };
    expect([trailIn(files, 'docs/b/c.md'), trailIn(files, 'docs/a.md')]).toEqual([['Guides', 'Deep'], []]);
  });

  it('reads the navigation of Antora, whose references name modules', () => {
    const nav = '.Guides\n* xref:a.adoc[A]\n** Deep\n*** xref:ops:c.md[{product}]\n* xref:other:x:a.md[No]\n';
    const files = { 'modules/ROOT/nav.adoc': nav, 'modules/ops/pages/c.md': 'C.' };
    expect(trailIn(files, 'modules/ops/pages/c.md')).toEqual(['Guides', 'A', 'Deep']);
  });

  it('reads the sidebars of a version of Docusaurus', () => {
    const sidebars = '{"docs": {"Guides": ["a"]}}';
    const files = {
      'x_versioned_sidebars/version-2.0-sidebars.json': sidebars,
      'x_versioned_docs/version-2.0/a.md': 'A.',
    };
    expect(trailIn(files, 'x_versioned_docs/version-2.0/a.md')).toEqual(['Guides']);
  });

  it.each([
    ['mkdocs.yml', 'nav:\n- Read C: b/c.md\n'],
    ['SUMMARY.md', '- [Read C](docs/b/c.md)\n'],
    ['docs/toc.yml', '- name: Read C\n  href: b/c.md\n'],
    ['sidebars.json', '{"x": [{"type": "doc", "id": "b/c", "label": "Read C"}]}'],
  ])('takes the title of a page from %s', (name, text) => {
    expect(placeIn({ ...PAGES, [name]: text }, 'docs/b/c.md').label).toBe('Read C');
  });

  it('does not wait for a pipe', () => {
    execFileSync('mkfifo', [folder.file('mkdocs.yml')]);
    const navigation = { path: 'mkdocs.yml', absolute: folder.file('mkdocs.yml') };
    const page = { path: 'a.md', absolute: folder.file('a.md') };
    expect(readTrails([page], [navigation])('a.md')).toEqual({ trail: [], label: '' });
  });

  it('reads a file above the indexed folder', () => {
    writeFiles(folder.file('site'), { 'mkdocs.yml': 'nav:\n- Guides:\n  - b/c.md\n' });
    const above = { folder: 'docs', prefix: 'manual/' };
    const navigation = { path: 'mkdocs.yml', absolute: folder.file('site/mkdocs.yml'), above };
    const page = { path: 'manual/b/c.md', absolute: folder.file('site/docs/b/c.md') };
    expect(readTrails([page], [navigation])(page.path).trail).toEqual(['Guides']);
  });

  it('reads a file in the folder of a site beside the indexed one', () => {
    writeFiles(folder.file('site'), { 'website/sidebars.json': '{"docs": {"Guides": ["b/c"]}}' });
    const above = { folder: 'docs', prefix: 'manual/', beside: 'website' };
    const sidebars = { path: 'sidebars.json', absolute: folder.file('site/website/sidebars.json'), above };
    const page = { path: 'manual/b/c.md', absolute: folder.file('site/docs/b/c.md') };
    expect(readTrails([page], [sidebars])(page.path).trail).toEqual(['Guides']);
  });

  it.each([
    ['computes its sidebars', 'sidebars.js', 'module.exports = makeSidebars({ deep: true });'],
    ['names pages outside the folder', 'mkdocs.yml', 'nav:\n- Guides:\n  - ../../b/c.md\n'],
    ['is not a map', 'mkdocs.yml', '- a\n'],
    ['nests without end', 'toc.yml', `${'- items: '.repeat(1)}&a\n  - *a\n`],
  ])('falls back on the folders if a file %s', (_, name, text) => {
    expect(trailIn({ ...PAGES, [name]: text }, 'docs/b/c.md')).toEqual(['B']);
  });
});
