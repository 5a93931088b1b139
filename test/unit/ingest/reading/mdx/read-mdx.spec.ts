import { readMdx } from '../../../../../src/ingest/reading/mdx/read-mdx.js';

const textsOf = (text: string) =>
  readMdx(text).blocks.map((block) => (block.kind === 'heading' ? `#${block.title}` : block.text));

describe('readMdx', () => {
  it('removes module code of several lines', () => {
    const text =
      "import {\n  A,\n\n  B,\n} from '../../a';\nexport const f = () => {\n  return 1;\n\n};\n\nText.";
    expect(textsOf(text)).toEqual(['Text.']);
  });

  it('keeps tags that change the meaning of their text', () => {
    const text =
      '10<sup className="x">6</sup>, H<sub>2</sub>O, <kbd>Ctrl</kbd>, <del>5</del> <ins>6</ins>, <q>no</q>';
    expect(textsOf(text)).toEqual([
      '10<sup>6</sup>, H<sub>2</sub>O, <kbd>Ctrl</kbd>, ~~5~~ <ins>6</ins>, "no"',
    ]);
  });

  it('removes comments', () => {
    expect(textsOf('a\n\n{/* # b\n\nc */}\n\nd {/* e */} f')).toEqual(['a', 'd  f']);
  });

  it('keeps the content of tags, moved to the left', () => {
    const text =
      '<Steps>\n  <Step>\n    ## Run\n\n    - a\n      - b\n\n    ```sh\n    x\n      y\n    ```\n  </Step>\n</Steps>\nEnd';
    expect(textsOf(text)).toEqual(['#Run', '- a\n  - b', '```sh\nx\n  y\n```', 'End']);
  });

  it('keeps the titles and labels of components on lines of their own', () => {
    expect(textsOf('<Card title="One" href="/x">\n  Text.\n</Card>\n<Tab label={\'Two\'}>b</Tab>')).toEqual([
      'One',
      'Text.',
      'Two',
      'b',
    ]);
  });

  it('keeps the code of components, with its lines and comments', () => {
    const text =
      'Install:\n\n<Code code={`\n# The first\nnpx tool go\n  --now\n`} lang="sh" />\n\n<Code code="npx a b" />\n\nEnd';
    expect(textsOf(text)).toEqual([
      'Install:',
      '```sh\n# The first\nnpx tool go\n  --now\n```',
      '```\nnpx a b\n```',
      'End',
    ]);
  });

  it('gives code a longer fence than any in it', () => {
    expect(textsOf('<Code code={"```"} />\n\n<Code code="" />')).toEqual(['````\n```\n````']);
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
  ])('keeps %s', (text) => {
    expect(textsOf(text)).toEqual([text]);
  });

  it('keeps code in fences, wherever the fence is', () => {
    const text = '<Tab>\n  ```jsx\n  import a from "b";\n\n<B title="c" />\n  ```\n</Tab>';
    expect(textsOf(text)).toEqual(['```jsx\nimport a from "b";\n\n<B title="c" />\n```']);
  });

  it('keeps a list item with a component whole', () => {
    expect(textsOf('1. a\n\n   <Note>\n     b\n   </Note>\n\n2. c')).toEqual(['1. a\n\n\n   b', '2. c']);
  });

  it('replaces an image by its alternative text', () => {
    expect(textsOf('<Frame>\n  <img\n    src="x.png"\n    alt="The menu"\n  />\n</Frame>')).toEqual([
      'The menu',
    ]);
  });

  it('keeps the cells of a table in their row', () => {
    expect(textsOf('| a |\n|---|\n| x<br/>y |')).toEqual(['| a |\n|---|\n| x<br>y |']);
  });

  it('decodes entities in prose', () => {
    expect(textsOf('`a&lt;` &#x5F;meta &#x7B; &lt;T&gt; &eacute;')).toEqual(['`a&lt;` _meta { <T> &eacute;']);
  });

  it('returns the lines of the file', () => {
    const { blocks } = readMdx("---\na: 1\n---\nimport A from 'a';\n\n<A\n  b\n>\n## C\n</A>\n");
    expect(blocks).toEqual([{ kind: 'heading', level: 2, title: 'C', anchor: null, line: 9 }]);
  });
});
