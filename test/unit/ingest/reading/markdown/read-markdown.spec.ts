import { readMarkdown } from '../../../../../src/ingest/reading/markdown/read-markdown.js';
import { sectionDocument } from '../../../../../src/ingest/sections/section-document.js';

const blocksOf = (text: string) => readMarkdown(text).blocks;
const textsOf = (text: string) =>
  blocksOf(text).map((block) => (block.kind === 'heading' ? `#${block.title}` : block.text));

describe('readMarkdown', () => {
  it('does not take definitions of links above a line for a heading', () => {
    const { blocks } = readMarkdown('[a]\n\n[a]: https://a.example\n[b]: b.md "B"\n---\n\n[c]: d.\n---\n');
    expect(blocks.map(({ kind }) => kind)).toEqual(['text', 'text', 'text']);
    expect(readMarkdown('[a] and b\n---\n').blocks[0]?.kind).toBe('heading');
  });

  it('removes badges from headings and paragraphs', () => {
    const badge = '[![npm](https://img.shields.io/npm/v/x.svg)](https://npmjs.com/x)';
    const blocks = blocksOf(`# ${badge}\n\n${badge}\n${badge}\n\n## Harbour ${badge}\n\nShips.`);
    expect(blocks).toMatchObject([{ kind: 'heading', title: 'Harbour' }, { text: 'Ships.' }]);
  });

  it('reads an explicit anchor with spaces, as Python-Markdown writes it', () => {
    expect(blocksOf('## Set up { #setup }\n\n## End {: #end .big }')).toMatchObject([
      { title: 'Set up', anchor: 'setup' },
      { title: 'End', anchor: 'end' },
    ]);
  });

  it('returns headings, paragraphs, fences, tables and items with their lines', () => {
    const text =
      '---\ntitle: T\n---\n# One\n\nText.\n\n```js\n# no\n```\n\n| a |\n|---|\n| 1 |\n\n- x\n- y\n';
    expect(blocksOf(text)).toEqual([
      { kind: 'heading', level: 1, title: 'One', anchor: null, line: 4 },
      { kind: 'text', text: 'Text.', line: 6 },
      { kind: 'fence', text: '```js\n# no\n```', line: 8 },
      { kind: 'table', text: '| a |\n|---|\n| 1 |', line: 12 },
      { kind: 'item', text: '- x', line: 16 },
      { kind: 'item', text: '- y', line: 17 },
    ]);
  });

  it('reads underlined headings', () => {
    expect(blocksOf('One\n===\n\nTwo\n---\n')).toMatchObject([
      { title: 'One', level: 1 },
      { title: 'Two', level: 2 },
    ]);
  });

  it.each([
    ['a list', '- # a'],
    ['a quotation', '> # a'],
    ['HTML', '<div>\n# a\n</div>'],
    ['an unclosed fence', '```\n# a'],
    ['indented code', '    # a'],
  ])('finds no heading inside %s', (_where, text) => {
    expect(textsOf(text)).toEqual([text]);
  });

  it.each([
    ['**bold** _and_ `code_x`', 'bold and code_x'],
    ['[link](http://x "t") and ![alt *text*](i.png)', 'link and alt text'],
    ['<a name="x"></a>Title<br/>', 'Title'],
    ['std::vector\\<int>', 'std::vector<int>'],
    ['List<String>', 'List<String>'],
    ['closed ##', 'closed'],
    ['a\t  b', 'a b'],
    ['rate_limit_ms', 'rate_limit_ms'],
  ])('reads the heading %s as %s', (source, title) => {
    expect(textsOf(`## ${source}`)).toEqual([`#${title}`]);
  });

  it.each([
    ['## <a name="one"></a> Set up', 'one'],
    ['## <a id = "one" ></a>Set up', 'one'],
    ['## Set up <a name="one"/>', 'one'],
    ['## <a name="one"></a> Set up {#two}', 'two'],
    ['## <a href="one"></a> Set up', null],
    ['## Set up <b name="one"></b>', null],
  ])('reads the anchor of %s', (text, anchor) => {
    expect(blocksOf(text)).toMatchObject([{ title: 'Set up', anchor }]);
  });

  it('removes an explicit anchor from a heading', () => {
    expect(blocksOf('## Set up {#setup}')).toMatchObject([{ title: 'Set up', anchor: 'setup' }]);
  });

  it('ignores a heading without words', () => {
    expect(textsOf('#\n\ntext')).toEqual(['text']);
  });

  it('removes comments, but not in code', () => {
    expect(
      textsOf('a <!-- x --> b\n\n<!-- # c\n\n## d -->\n\n`<!-- e -->`\n\n- ```\n  <!-- f -->\n  ```'),
    ).toEqual(['a  b', '`<!-- e -->`', '- ```\n  <!-- f -->\n  ```']);
  });

  it('removes a comment with its line if nothing else is on it', () => {
    expect(textsOf('- a\n  <!-- x -->\n  b')).toEqual(['- a\n  b']);
  });

  it('removes import and export lines, but not from code or prose', () => {
    const text =
      "import A from '../../a';\nexport const x = 1;\n\nimport duties are due.\n\n```js\nimport B from 'b';\n```";
    expect(textsOf(text)).toEqual(['import duties are due.', "```js\nimport B from 'b';\n```"]);
  });

  it('reads many definitions above the title of a page in linear time', () => {
    const definitions = `[a]: https://${'a'.repeat(30)}\n`.repeat(200);
    const { blocks } = readMarkdown(`${definitions}x\n---\n`);
    expect(blocks).toHaveLength(1);
  });

  it('keeps inline HTML, definitions and thematic breaks apart', () => {
    expect(textsOf('a <b>c</b>\n\n[x]: http://x\n\n---\n\nd')).toEqual(['a <b>c</b>', '[x]: http://x', 'd']);
  });

  it('continues after very deep nesting', () => {
    expect(textsOf(`${'- '.repeat(50_000)}x\n\n# After`).at(-1)).toBe('#After');
  });

  it.each(['', '\n\n', '---\na: 1\n---\n', '<!-- only -->'])('returns nothing for %j', (text) => {
    expect(blocksOf(text)).toEqual([]);
  });

  it.each([
    ['in a paragraph', 'a <a id="x"></a>b'],
    ['by its name', "<a name='x'/>b"],
    ['below the heading', '<a href="b.md" ID = x ></a>\n\nText.'],
    ['in a table cell', '| a |\n|---|\n| <a id="x"></a>b |'],
    ['in an item', '- a\n- <a id="x">b</a>'],
    ['of another element', '<dl><dt id="x">b</dt></dl>'],
  ])('reads the id of an element as an anchor: %s', (_where, body) => {
    expect(readMarkdown(`---\na: 1\n---\n# T\n\n## A\n\n${body}`).anchors).toMatchObject([{ name: 'x' }]);
    const { anchors } = sectionDocument('a.md', readMarkdown(`# T\n\n## A\n\n${body}\n\n## B\n\nb`), 'T');
    expect(anchors).toEqual([{ name: 'x', heading: 'a.md#a' }]);
  });

  it('reads elements directly before and in a heading as its anchors', () => {
    const text =
      '---\na: 1\n---\n# T\n\n<a id="x"></a>\n\n<a id="y"></a>\n## <a id="z"></a>A <a id="w"></a> {#a}\n\nb';
    expect(readMarkdown(text).anchors).toEqual(['x', 'y', 'z', 'w'].map((name) => ({ name, line: 9 })));
  });

  it.each([
    '`<a id="x">`',
    '```\n<a id="x">\n```',
    '    <a id="x">',
    '<!-- <a id="x"></a> -->',
    '\\<a id="x">',
  ])('finds no anchor in %j', (body) => {
    expect(readMarkdown(body).anchors).toEqual([]);
  });

  it.each([
    '<b name="x">c</b>',
    '<a data-id="x">c</a>',
    '<a id="">c</a>',
    '<a id="x y">c</a>',
    '</a id="x">',
  ])('finds no anchor in %s', (body) => {
    expect(readMarkdown(body).anchors).toEqual([]);
  });
});
