import { indexDocument } from '../../../src/ingest/index-document.js';

const RULES = { docTag: undefined, repository: 'repo', metadata: {}, declaredKeys: [] };
const indexed = (path: string, text: string): ReturnType<typeof indexDocument> => {
  const bytes = Buffer.from(text);
  const file = { kind: 'file', path, absolute: `/docs/${path}`, bytes: bytes.length, mtimeMs: 0 } as const;
  return indexDocument({ file, bytes, rules: RULES, hash: 'h' });
};
const idsOf = async (path: string, text: string): Promise<string[]> =>
  (await indexed(path, text)).sections.map(({ id }) => id);

describe('indexDocument', () => {
  it('begins every section id with the path, with slashes and backslashes unchanged', async () => {
    expect(await idsOf('guides/a\\b c.md', '# A\n\nx\n\n## B\n\ny\n')).toEqual([
      'guides/a\\b%20c.md#_preamble',
      'guides/a\\b%20c.md#b',
    ]);
  });

  it('reads the version of a page of Docusaurus, whose links to headings hide nothing', async () => {
    const link = '<a href=#b class=hash-link title="Link">\u200b</a>';
    const html = `<meta data-rh=true name=docusaurus_version content=30.4 /><h2 id=b>B${link}</h2><p>Text.</p>`;
    const { facts } = await indexed('docs/index.html', html);
    expect(facts.metadata).toEqual({ version: '30.4' });
    expect(facts.caution).toBeUndefined();
    const { facts: next } = await indexed('next/index.html', html.replace('30.4', 'current'));
    expect(next.metadata).toEqual({});
    const { facts: marked } = await indexed('index.html', html.replace('Text', 'Te\u200bxt'));
    expect(marked.caution?.removed).toBe(1);
  });

  it('leaves the name of the site out of the title of a page with two headings of the first level', async () => {
    const html =
      '<title>Setup | Harbour</title><main><p>a</p><h1>Setup</h1><p>b</p><h1>Setup</h1><p>c</p></main>';
    expect((await indexed('a.html', html)).facts.title).toBe('Setup');
    expect((await indexed('a.html', html.replaceAll('<h1>', '<h2>'))).facts.title).toBe('Setup | Harbour');
  });
});
