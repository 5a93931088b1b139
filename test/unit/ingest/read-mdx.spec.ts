import { readMdx } from '../../../src/ingest/read-mdx.js';

const textsOf = (text: string) =>
  readMdx(text).blocks.map((block) => (block.kind === 'heading' ? `#${block.title}` : block.text));

describe('readMdx', () => {
  it('removes module code of several lines', () => {
    const text =
      "import {\n  A,\n\n  B,\n} from './a';\nexport const f = () => {\n  return 1;\n\n};\n\nText.";
    expect(textsOf(text)).toEqual(['Text.']);
  });

  it('removes comments', () => {
    expect(textsOf('a\n\n{/* # b\n\nc */}\n\nd {/* e */} f')).toEqual(['a', 'd  f']);
  });

  it('keeps what stands between tags, moved to the left', () => {
    const text =
      '<Steps>\n  <Step>\n    ## Run\n\n    - a\n      - b\n\n    ```sh\n    x\n      y\n    ```\n  </Step>\n</Steps>\nEnd';
    expect(textsOf(text)).toEqual(['#Run', '- a\n  - b', '```sh\nx\n  y\n```', 'End']);
  });

  it('keeps the titles and labels of components on lines of their own', () => {
    expect(textsOf('<Card title="One">\n  Text.\n</Card>\n<Tab label={\'Two\'}>b</Tab>')).toEqual([
      'One',
      'Text.',
      'Two',
      'b',
    ]);
  });

  it.each([
    [
      'a titled tag with an address',
      '<Card title="Set up" href="/a">\n  Text.\n</Card>',
      ['[Set up](/a)', 'Text.'],
    ],
    ['a label with an address', '<Tile label="Set up" href="a.md" />', ['[Set up](a.md)']],
    ['brackets in a title', '<Card title="Use [x] and `[y]`" href="/a" />', ['[Use \\[x\\] and `[y]`](/a)']],
    ['parentheses and blanks in an address', '<Card title="One" href="/a (b)" />', ['[One](</a%20(b)>)']],
    ['an address with entities', '<Card title="One" href="/a?b&amp;c#d&#x5F;e" />', ['[One](/a?b&c#d_e)']],
    ['an address that is an expression', '<Card title="One" href={base} />', ['One']],
    ['an empty address', '<Card title="One" href="" />', ['One']],
    ['a link in a sentence', 'See <a href="/a">the *guide*</a>, please.', ['See [the *guide*](/a), please.']],
    [
      'a component that links',
      '<Link to="/a">Guide</Link> or <Link href="b">more</Link>',
      ['[Guide](/a) or [more](b)'],
    ],
    [
      'a link over lines',
      'Text\n<a\n  href="/a"\n>\n  the guide\n</a>\nends.',
      ['Text', '[the guide](/a)', 'ends.'],
    ],
    ['a link around an image', '<a href="/a"><img src="x.png" alt="Plan" /></a>', ['[Plan](/a)']],
    ['a link around nothing', 'a <a href="/a"></a> b', ['a  b']],
    ['a link with an expression', '<a href={url}>text</a>', ['text']],
    ['a link within the page', '<a href="#part">text</a>', ['text']],
    ['a link around a heading', '<a href="/a">\n  ## Box\n\n  Text.\n</a>', ['#Box', 'Text.']],
    ['a link that is never closed', 'a <a href="/a"> b', ['a  b']],
    ['a link around a link', '<a href="/a">[b](c)</a>', ['[b](c)']],
  ])('shows where %s leads', (_name, text, expected) => {
    expect(textsOf(text)).toEqual(expected);
  });

  it('reads attributes of several lines with braces, strings and tags in them', () => {
    const text =
      '<Tabs\n  items={[{ a: "}>" }]}\n  icon={<Icon name="x" />}\n  on={() => 1 > 0}\n>\ntext\n</Tabs>';
    expect(textsOf(text)).toEqual(['text']);
  });

  it.each([
    ['`List<String>` and `{/* x */}`'],
    ['a < b and c > d'],
    ['Map<Key> in prose'],
    ['see <https://example.org/a>'],
    ['an { open } brace'],
    ['\\<Tag>'],
  ])('leaves %s alone', (text) => {
    expect(textsOf(text)).toEqual([text]);
  });

  it('leaves code in fences alone, wherever the fence stands', () => {
    const text = '<Tab>\n  ```jsx\n  import a from "b";\n\n<B title="c" />\n  ```\n</Tab>';
    expect(textsOf(text)).toEqual(['```jsx\nimport a from "b";\n\n<B title="c" />\n```']);
  });

  it('keeps an item whole around a component', () => {
    expect(textsOf('1. a\n\n   <Note>\n     b\n   </Note>\n\n2. c')).toEqual(['1. a\n\n\n   b', '2. c']);
  });

  it('shows an image by its alternative text', () => {
    expect(textsOf('<Frame>\n  <img\n    src="x.png"\n    alt="The menu"\n  />\n</Frame>')).toEqual([
      'The menu',
    ]);
  });

  it('keeps the cells of a table on their row', () => {
    expect(textsOf('| a |\n|---|\n| x<br/>y |')).toEqual(['| a |\n|---|\n| x y |']);
  });

  it('reads entities in prose as what they stand for', () => {
    expect(textsOf('`a&lt;` &#x5F;meta &#x7B; &lt;T&gt; &eacute;')).toEqual(['`a&lt;` _meta { <T> &eacute;']);
  });

  it("tells the file's lines", () => {
    const { blocks } = readMdx("---\na: 1\n---\nimport A from 'a';\n\n<A\n  b\n>\n## C\n</A>\n");
    expect(blocks).toEqual([{ kind: 'heading', level: 2, title: 'C', anchor: null, line: 9 }]);
  });
});
