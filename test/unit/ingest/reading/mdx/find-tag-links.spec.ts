import { indexDocument } from '../../../../../src/ingest/index-document.js';
import { findMdx } from '../../../../../src/ingest/reading/mdx/find-mdx.js';
import { findTagLinks } from '../../../../../src/ingest/reading/mdx/read-mdx.js';

const linksOf = (text: string) =>
  findTagLinks(text, findMdx(text)).map(({ href, line }) => `${line} ${href}`);

describe('findTagLinks', () => {
  it.each<[string, string, string[]]>([
    ['a card', '<Card title="Install" href="/install">\n  How.\n</Card>', ['0 /install']],
    ['a tag without content', '<Card title="Install" href="/install" />', ['0 /install']],
    ['an anchor within a sentence', 'See <a href="../use.md">how</a> it goes.', ['0 ../use.md']],
    ['a component that says `to`', '<Link to="/use">Use</Link>', ['0 /use']],
    ['tags on later lines', 'Text.\n\n<Card href="/a" />\n\n<Card href="/b" />', ['2 /a', '4 /b']],
    ['nothing for a link within the page', '<a href="#part">part</a>', []],
    ['nothing for a computed address', '<a href={url}>part</a>', []],
    ['nothing for a drawing', '<use href="icons.svg#anchor" />', []],
    ['nothing for a tag without address', '<Card title="Install" />', []],
    ['nothing in code', '```html\n<a href="/x">x</a>\n```', []],
  ])('finds %s', (_, text, expected) => {
    expect(linksOf(text)).toEqual(expected);
  });
});

describe('a page with tags', () => {
  it('adds the links of its tags to their sections, after the links of the text', async () => {
    const text = [
      '# Page',
      '',
      '<Card title="First" href="/first" />',
      '',
      '## Next',
      '',
      'See [the text](/text) and <a href="/text">again</a>.',
      '<Card title="Second" href="/second" />',
    ].join('\n');
    const { graph } = await indexDocument({
      file: { kind: 'file', path: 'page.mdx', absolute: '/page.mdx', bytes: text.length, mtimeMs: 0 },
      bytes: Buffer.from(text),
      rules: { repository: 'repo', metadata: {}, declaredKeys: [], docTag: 'docs' },
      hash: 'hash',
    });
    expect(graph.links.map(({ section, href }) => `${section} ${href}`)).toEqual([
      '1 /text',
      '0 /first',
      '1 /second',
    ]);
  });
});
