import { readHtml } from '../../../../../src/ingest/reading/html/read-html.js';
import { MalformedDocumentError } from '../../../../../src/ingest/reading/parsed-document.js';

const textsOf = (html: string) =>
  readHtml(html).blocks.map((block) => (block.kind === 'heading' ? `#${block.title}` : block.text));

describe('readHtml', () => {
  it('reads the title and the main part', () => {
    const html =
      '<html><head><title> A\n b </title></head><body><p>out</p><main><h1>In</h1><p>text</p></main></body></html>';
    expect(readHtml(html).title).toBe('A b');
    expect(textsOf(html)).toEqual(['#In', 'text']);
  });

  it.each([
    ['an article', '<p>out</p><article><header><h1>In</h1></header>text</article>', ['#In', 'text']],
    ['the main role', '<p>out</p><div role="main">in</div>', ['in']],
    ['the body', '<header>h</header><p>in</p><footer>f</footer>', ['in']],
  ])('finds the page in %s', (_where, html, texts) => {
    expect(textsOf(html)).toEqual(texts);
  });

  it.each([
    ['a main part', '<main><p>one</p><div role="main"><p>two</p></div></main>'],
    ['an article', '<article><p>one</p><article><p>two</p></article></article>'],
  ])('reads %s in another one once', (_what, html) => {
    expect(textsOf(`<p>out</p>${html}`)).toEqual(['one', 'two']);
  });

  it('drops elements without page text', () => {
    const html =
      '<script>s</script><style>t</style><nav>n</nav><aside>a</aside><svg><title>v</title></svg><button>b</button><!-- c --><p>p</p>';
    expect(readHtml(html)).toMatchObject({ title: null, blocks: [{ text: 'p' }] });
  });

  it.each(['navigation', 'banner', 'contentinfo', 'search', 'complementary', ' Navigation doc-toc'])(
    'drops elements of the role %j, with their headings',
    (role) => {
      const framed = ['div', 'ul', 'section'].map((name) => `<${name} role="${role}"><h2>F</h2>x</${name}>`);
      const page = readHtml(
        `<main><h1 id="in">In</h1><p>text</p>${framed.join('')}<p id="end">end</p></main>`,
      );
      expect(page).toMatchObject({ blocks: [{ title: 'In' }, { text: 'text' }, { text: 'end' }] });
      expect(page.anchors).toContainEqual({ name: 'end', line: page.blocks[0]?.line });
    },
  );

  it.each<[string, string[]]>([
    ['a note', ['<aside><p>Close valve 7 first.</p></aside>', 'Close valve 7 first.']],
    [
      'a note that is a link',
      ['<aside>See <a href="v.html">the long guide</a></aside>', 'See [the long guide](v.html)'],
    ],
    [
      'a footnote',
      [
        '<aside role="doc-footnote">[1] <a href="https://x.example">A study</a></aside>',
        '[1] [A study](https://x.example)',
      ],
    ],
    ['the source of a quotation', ['<footer>By <a href="a.html">Ada</a></footer>', 'By [Ada](a.html)']],
    [
      'a paragraph in navigation',
      [
        '<nav><p>Start with the pump, since all other parts need its pressure.</p></nav>',
        'Start with the pump, since all other parts need its pressure.',
      ],
    ],
    ['an open dialog', ['<dialog open>Heat</dialog>', 'Heat']],
    [
      'the title of a part that opens',
      ['<dl><dt><button>Leaks</button></dt><dd>Dry it.</dd></dl>', '**Leaks**\nDry it.'],
    ],
  ])('keeps %s in the main part', (_what, [html = '', text = '']) => {
    expect(textsOf(`<main>${html}</main>`)).toEqual([text]);
  });

  it.each([
    [
      'the contents of the page',
      '<aside><h2>On this page</h2><ul><li><a href="#a">Pump</a></li><li><a href="#b">Valve</a></li></ul></aside>',
    ],
    ['breadcrumbs', '<nav><ol><li><a href="/">Home</a></li><li>Pumps</li></ol></nav>'],
    ['a pager', '<footer><a href="a.html">Previous Pumps</a> <a href="b.html">Next Valves</a></footer>'],
    ['a heading whose list a script fills', '<aside><h2>Contents</h2><ul></ul></aside>'],
    ['a button', '<button>Copy</button>'],
    ['the title of a tab, as a button', '<button role="tab">All methods</button>'],
    ['a closed dialog', '<dialog>Loading</dialog>'],
  ])('drops %s in the main part', (_what, html) => {
    expect(textsOf(`<main><p>text</p>${html}</main>`)).toEqual(['text']);
  });

  it('drops what stands beside the article of the main part', () => {
    const menu = '<aside><b>Guide</b> of the press <a href="a.html">Pump</a></aside>';
    expect(textsOf(`<main>${menu}<article><p>Pump the oil up.</p>${menu}</article></main>`)).toEqual([
      'Pump the oil up.',
      '**Guide** of the press [Pump](a.html)',
    ]);
  });

  it.each<[string, string[]]>([
    ['<details><summary>Pumps</summary>Oil them.</details>', ['Pumps', 'Oil them.']],
    ['<x-card><h3>A</h3>one</x-card><x-card>two</x-card>', ['#A', 'one', 'two']],
    ['<x-tab>one</x-tab><x-tab>two</x-tab>', ['one', 'two']],
    ['<p>a <x-term>b</x-term> c</p>', ['a b c']],
    ['<fieldset><legend>Speed</legend>fast</fieldset>', ['Speed', 'fast']],
    [
      '<ul role="tablist"><li><span role="tab">npm</span><span role="tab">yarn</span></li></ul>',
      ['- npm\n\n  yarn'],
    ],
    ['<label>Name</label><label>Age</label>', ['Name Age']],
    ['<a href="p.html"><h3>Pump</h3><p>How it works</p></a>', ['#Pump', '[How it works](p.html)']],
  ])('keeps the texts of neighbours apart: %s', (html, texts) => {
    expect(textsOf(html)).toEqual(texts);
  });

  it.each<[string, string, string[]]>([
    [
      'of a page without other text',
      '<body><script type="text/x-handlebars-template"><h1>A</h1>{{#if x}}<p>one</p>{{/if}}</script>',
      ['#A', 'one'],
    ],
    ['of the main part', '<main><p>one</p><template><p>two</p></template></main>', ['one', 'two']],
    [
      'in Markdown',
      '<body><script type="text/markdown">\n  # A\n\n  - <b>\n</script></body>',
      ['#A', '- <b>'],
    ],
    ['for controls', '<p>one two three</p><template>No results</template>', ['one two three']],
    [
      'of code',
      '<main><p>one</p><script type="text/x-python">two</script><script type="application/json">"x"</script></main>',
      ['one'],
    ],
  ])('reads the templates %s', (_where, html, texts) => {
    expect(textsOf(html)).toEqual(texts);
  });

  it.each<[string, string, string]>([
    [
      'of Pygments',
      '<pre><span></span><code><span class="linenos">1</span>a = 1\n<span class="linenos">2</span>b = 2\n</code></pre>',
      '```\na = 1\nb = 2\n```',
    ],
    [
      'of Chroma',
      '<pre><code class="language-sh"><span class="line"><span class="ln">1</span><span class="cl">ls\n</span></span></code></pre>',
      '```sh\nls\n```',
    ],
    [
      'in a cell',
      '<table><tr><td class="linenos"><div><pre><a href="#l1">1</a>\n2</pre></div></td><td><pre>a\nb</pre></td></tr></table>',
      '```\na\nb\n```',
    ],
    [
      'beside it',
      '<div class="language-js"><span class="lang">js</span><pre><code>a\nb</code></pre><div aria-hidden="true"><span>1</span><br><span>2</span><br></div></div>',
      '```js\na\nb\n```',
    ],
  ])('drops the numbers of lines of code %s, and a second name of its language', (_where, html, text) => {
    expect(textsOf(`<main>${html}</main>`)).toEqual([text]);
  });

  it('drops the lines of code that mdBook hides', () => {
    const html =
      '<pre><code class="language-rust"><span class="boring">fn main() {\n</span>let a = 1;\n<span class="boring">}</span></code></pre>';
    expect(textsOf(html)).toEqual(['```rust\nlet a = 1;\n```']);
    expect(textsOf('<p>A <span class="boring">plain</span> berth</p>')).toEqual(['A plain berth']);
  });

  it('keeps a heading that is a link without words', () => {
    expect(textsOf('<h1 id="a"><a href="#a">?</a></h1><h2>Set<a href="#b">#</a></h2><p>b</p>')).toEqual([
      '#?',
      '#Set',
      'b',
    ]);
  });

  it('keeps numbers that are code, cells or words', () => {
    const html =
      '<pre><span class="mi">1</span>\n<span class="ln">x1</span></pre><table><tr><td>1</td><td><code>a</code></td></tr></table><p>Step <b aria-hidden="true">2</b></p>';
    expect(textsOf(html)).toEqual(['```\n1\nx1\n```', '|  |  |\n| --- | --- |\n| 1 | `a` |', 'Step **2**']);
    const [cells] = textsOf('<table><tr><td>200</td><td><pre>a</pre></td><td><pre>b</pre></td></tr></table>');
    expect(cells).toContain('200');
  });

  it.each([
    [
      'labels of Material',
      '<div><input type="radio"><input type="radio"><div><label>Debian</label><label>Mac</label></div><div><div><p>apt</p></div><div><p>brew</p></div></div></div>',
    ],
    [
      'labels of VitePress',
      '<div><div><input type="radio"><label>Debian</label><input type="radio"><label>Mac</label></div><div><div><p>apt</p></div><div><p>brew</p></div></div></div>',
    ],
    [
      'tabs beside their panels',
      '<div><div role="tablist"><button role="tab">Debian</button><button role="tab">Mac</button></div><div role="tabpanel">apt</div><div role="tabpanel">brew</div></div>',
    ],
    [
      'tabs in a list',
      '<div><nav><ul role="tablist"><li><a role="tab" href="#a">Debian</a></li><li><a role="tab" href="#b">Mac</a></li></ul></nav><div><div role="tabpanel">apt</div><div role="tabpanel">brew</div></div></div>',
    ],
  ])('puts the title of each tab above its part: %s', (_how, html) => {
    expect(textsOf(`<main>${html}</main>`)).toEqual(['Debian', 'apt', 'Mac', 'brew']);
  });

  it('keeps tabs where they are if their parts are not known', () => {
    const html = '<ul role="tablist"><li role="tab">One</li><li role="tab">Two</li></ul><div><p>a</p></div>';
    expect(textsOf(html)).toEqual(['- One', '- Two', 'a']);
  });

  it('keeps the words of a list of tabs that are not in its tabs', () => {
    const foreign = '<div><div>one</div><div>two</div></div>';
    const [a, b] = ['Berths?', 'Fees?'].map((title) => `<h3><button role="tab">${title}</button></h3>`);
    const panels = `${a}<div role="tabpanel">free</div>${b}<div role="tabpanel">low</div>`;
    expect(textsOf(`<main><div role="tablist">${panels}</div>${foreign}</main>`)).toEqual([
      '#Berths?',
      'free',
      '#Fees?',
      'low',
      'one',
      'two',
    ]);
    const tabs = '<p role="tab">Debian</p> <p role="tab">Mac</p>';
    const texts = textsOf(`<main><div role="tablist"><b>Pick:</b> ${tabs}</div>${foreign}</main>`);
    expect(texts).toEqual(['**Pick:**', 'Debian', 'Mac', 'one', 'two']);
  });

  it('reads 8,000 labels of controls in time', () => {
    const startedAt = process.cpuUsage().user;
    expect(textsOf(`<main>${'<div><label>a</label></div>'.repeat(8_000)}</main>`)).toHaveLength(8_000);
    expect(process.cpuUsage().user - startedAt).toBeLessThan(2_000_000);
  });

  it('reads a page around articles that are parts of it', () => {
    const cards = '<article><h2>Fast</h2>a</article><article><h2>Quiet</h2>b</article>';
    const texts = ['#Quay', 'Books berths.', '#Fast', 'a', '#Quiet', 'b', 'more'];
    expect(textsOf(`<div><h1>Quay</h1><p>Books berths.</p></div>${cards}<p>more</p>`)).toEqual(texts);
    const skip = '<a class="visually-hidden" href="#content">Skip to content</a>';
    expect(textsOf(`${skip}<h1>Quay</h1><p>Books berths.</p>${cards}<p>more</p>`)).toEqual(texts);
    expect(textsOf(`<header><h1>Shop</h1></header>${cards}<p>more</p>`)).toEqual([
      '#Fast',
      'a',
      '#Quiet',
      'b',
    ]);
  });

  it('keeps elements with other roles', () => {
    expect(textsOf('<div role="note">n</div><div role="region">r</div>')).toEqual(['n', 'r']);
  });

  it('drops the links that Sphinx puts beside names', () => {
    const link = '<a href="../_modules/crane.html#Hook"><span class="viewcode-link">[source]</span></a>';
    expect(textsOf(`<p>crane.Hook${link}</p>`)).toEqual(['crane.Hook']);
  });

  it('drops the links that DocBook puts around a page', () => {
    const links =
      '<table><tr><td><a href="a.html">Prev</a></td><td><a href="b.html">Next</a></td></tr></table>';
    const html = `<div class="navheader">${links}</div><p class="navigate">p</p><div class="x navfooter">${links}</div>`;
    expect(textsOf(html)).toEqual(['p']);
  });

  it('keeps code unchanged, with its language', () => {
    const html =
      '<pre><code class="language-c">a  &lt;b&gt;\n  # c\n</code></pre><div class="highlight-py"><pre>x<br>y</pre></div>';
    expect(textsOf(html)).toEqual(['```c\na  <b>\n  # c\n```', '```py\nx\ny\n```']);
  });

  it('escapes only structure', () => {
    expect(textsOf('<p>rate_limit [x] *y* &lt;!-- z --&gt; 1. a</p>')).toEqual([
      'rate_limit [x] *y* <!-- z --> 1. a',
    ]);
  });

  it('does not turn text into headings or fences', () => {
    expect(textsOf('<p># a</p><p>```</p>')).toEqual(['\\# a', '\\```']);
  });

  it('reads the anchor of a heading from its id or its section', () => {
    const html = '<h2 id="a_b">__init__<a href="#a_b">¶</a></h2><section id="s"><h3>C</h3></section>';
    expect(readHtml(html).blocks).toMatchObject([
      { title: '__init__', anchor: 'a_b' },
      { title: 'C', anchor: 's' },
    ]);
  });

  it('assigns the id of a wrapping element to the heading at its start', () => {
    const html = '<section id="s"><span id="other"></span><h2>C<a href="#s">¶</a></h2><p>text</p></section>';
    expect(readHtml(html)).toMatchObject({
      blocks: [{ title: 'C', anchor: 's' }, { text: 'text' }],
      anchors: [
        { name: 's', line: 1 },
        { name: 'other', line: 1 },
      ],
    });
  });

  it('does not take an id of navigation or of a control for the anchor of the next heading', () => {
    const html =
      '<span id="a"></span><nav><a id="m-b" href="b">B</a></nav><input id="dark"><h1>C</h1><p>c</p>';
    expect(readHtml(html).blocks[0]).toMatchObject({ title: 'C', anchor: 'a' });
  });

  it('assigns the id of any other element to the previous heading', () => {
    const html =
      '<main id="top"><p>a</p><h2>B</h2><dl><dt id="x.f">f()</dt><dd>text</dd></dl><a name="old"></a>b' +
      '<aside id="note">c</aside></main><h2 id="z">Outside</h2>';
    const { blocks, anchors } = readHtml(html);
    const line = blocks.find((block) => block.kind === 'heading')?.line;
    expect(anchors).toEqual([
      { name: 'top', line: 0 },
      { name: 'x.f', line },
      { name: 'old', line },
      { name: 'note', line },
      { name: 'z', line },
    ]);
  });

  it('removes permalinks, titles of links and images, and badges', () => {
    const html =
      '<dl><dt>f(x)<a class="headerlink" href="#f" title="Permalink to this definition">¶</a></dt>' +
      '<dd>See <a href="b.html#g" title="module.g">g</a> and <img src="a.png" alt="a" title="A map">.</dd></dl>' +
      '<p><a href="https://ci.example"><img src="https://img.shields.io/npm/v/x.svg" alt="npm"></a></p>';
    expect(textsOf(html)).toEqual(['**f(x)**\nSee [g](b.html#g) and ![a](a.png).']);
  });

  it.each<[string, string[]]>([
    ['<dt><code>-a</code></dt><dd><p>One.</p><p>Two.</p></dd>', ['**`-a`**\nOne.', 'Two.']],
    ['<dt>a</dt><dt>b</dt><dd>One.</dd><dt>c</dt><dd>Two.</dd>', ['**a**\n**b**\nOne.', '**c**\nTwo.']],
    ['<dt><b>a</b> (text)</dt><dd>One.</dd>', ['**a** (text)\nOne.']],
    ['<dt><code>-a</code><br><code>--b</code></dt><dd>One.</dd>', ['**`-a`**\n**`--b`**\nOne.']],
    ['<dt>f(<em>*a</em>, <em>**b</em>)</dt><dd>One.</dd>', ['**`f(*a, **b)`**\nOne.']],
    ['<dt>a</dt><dd><ul><li>One.</li></ul></dd>', ['**a**', '- One.']],
    ['<dt>a</dt><dd><pre>b</pre></dd>', ['**a**', '```\nb\n```']],
    ['<dt><h4>a</h4></dt><dd>One.</dd>', ['#a', 'One.']],
    ['<dt></dt><dd>One.</dd><dd>Two.</dd>', ['One.', 'Two.']],
  ])('keeps the terms of a list with their text: %s', (items, texts) => {
    expect(textsOf(`<dl>${items}</dl>`)).toEqual(texts);
  });

  it.each([
    ['<code>git <strong>-m</strong> <em>text</em></code>', '`git -m text`'],
    ['<code>-N <em><code>a</code></em></code>', '`-N a`'],
    ['<code><a href="b.html">a()</a></code>', '`a()`'],
    ['<code>a`b</code> and <code>``</code>', '`` a`b `` and ``` `` ```'],
    ['a<code> b\n c </code>d', 'a `b c` d'],
    ['a<code></code>', 'a'],
    ['<code>npm i<button>Copy</button><style>a{}</style></code>', '`npm i`'],
    ['<code>a<img alt="pic" src="b.png"> b</code>', '`apic b`'],
  ])('keeps only the text of inline code: %s', (html, text) => {
    expect(textsOf(`<p>${html}</p>`)).toEqual([text]);
  });

  it.each([
    ['10<sup>6</sup> rows', '10<sup>6</sup> rows'],
    ['CO<sub>2</sub>', 'CO<sub>2</sub>'],
    ['so<sup id="r1"><a href="#n1">1</a></sup>', 'so[1](#n1)'],
    ['so<a href="#n1"><sup>[1]</sup></a>', 'so[[1]](#n1)'],
    ['costs <del>5</del> <ins>6</ins> or <s>7</s>', 'costs ~~5~~ <ins>6</ins> or ~~7~~'],
    ['<span class="red line-through">off</span>', '~~off~~'],
    ['<kbd>Ctrl</kbd><kbd>C</kbd> (<kbd>F1</kbd>)', '<kbd>Ctrl</kbd> <kbd>C</kbd> (<kbd>F1</kbd>)'],
    ['<kbd><kbd>Ctrl</kbd>+<kbd>C</kbd></kbd>', '<kbd>Ctrl</kbd>+<kbd>C</kbd>'],
    [
      '<abbr title="top dead centre">TDC</abbr> or <abbr title="top dead centre">TDC</abbr>',
      'TDC (top dead centre) or TDC',
    ],
    ['he said <q>no</q>', 'he said "no"'],
    ['<code>2<sup>8</sup></code>', '`2^8`'],
    ['<math><msup><mi>r</mi><mn>2</mn></msup></math>', 'r<sup>2</sup>'],
    ['<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><mn>2</mn></mfrac></math>', '(a+b)/2'],
    [
      '<math><semantics><mi>r</mi><annotation encoding="application/x-tex">r^2</annotation></semantics></math>',
      '$r^2$',
    ],
    ['<span><math alttext="r^2"><mi>r</mi></math></span><span aria-hidden="true">r2</span>', '$r^2$'],
    ['<script type="math/tex">r^2</script>', '$r^2$'],
  ])('keeps what changes the meaning of a text: %s', (html, text) => {
    expect(textsOf(`<p>${html}</p>`)).toEqual([text]);
  });

  it('raises in titles, and keeps boxes of tasks', () => {
    expect(textsOf('<h2>10<sup>6</sup> rows</h2><ul><li><input type="checkbox" checked>a</li></ul>')).toEqual(
      ['#10^6 rows', '- [x] a'],
    );
    const label = '<label><input type="checkbox" checked disabled><span></span></label>';
    expect(textsOf(`<ul><li>${label} a</li><li><label><input type="checkbox"> b</label></li></ul>`)).toEqual([
      '- [x]  a',
      '- b',
    ]);
  });

  it('divides a title whose parts are on lines of their own', () => {
    expect(textsOf('<h1><span>Quay</span><span>Berths for all</span></h1>')).toEqual([
      '#Quay Berths for all',
    ]);
    expect(textsOf('<h1>Quay<span>s</span></h1>')).toEqual(['#Quays']);
    const numbered = '<h1><span class="number">4</span><span class="title">Quay</span></h1>';
    expect(textsOf(numbered)).toEqual(['#4 Quay']);
  });

  it.each(['', ' class="letter"'])('does not divide a word whose letters are elements<%s>', (attribute) => {
    const letters = ['Q', 'u', 'a', 'y'].map((letter) => `<span${attribute}>${letter}</span>`);
    expect(textsOf(`<h1>${letters.join('')}</h1>`)).toEqual(['#Quay']);
  });

  it.each(['<svg><style>.a{fill:#fff}</style><title>Logo</title></svg>', '<script>var a = 1;</script>'])(
    'has no title from what a page does not show: %s',
    (html) => {
      expect(textsOf(`<h1>${html}</h1><p>text</p>`)).toEqual(['text']);
    },
  );

  it('shows the alternative text of a picture that is in the page', () => {
    const html = '<p>a <img src="data:image/png;base64,AAAA" alt="A map"> b <img src="data:,x"></p>';
    expect(textsOf(html)).toEqual(['a ![A map]() b']);
  });

  it('keeps blocks in code apart', () => {
    expect(textsOf('<code><div>one</div><div>two</div></code>')).toEqual(['one', 'two']);
  });

  it('keeps the text of a heading in a list', () => {
    expect(textsOf('<ul><li><h3 id="m">run</h3><p>Runs.</p></li></ul>')).toEqual(['- ### run\n\n  Runs.']);
  });

  it('keeps a table, with or without a header row', () => {
    const html = '<table><tr><th>a</th><th>b</th></tr><tr><td><p>1</p><p>x|y</p></td><td>2</td></tr></table>';
    expect(textsOf(html)).toEqual(['| a | b |\n| --- | --- |\n| 1<br>x\\|y | 2 |']);
    expect(textsOf('<table><tr><td>1</td><td>2</td></tr></table>')).toEqual([
      '|  |  |\n| --- | --- |\n| 1 | 2 |',
    ]);
  });

  it.each([
    [
      'a value in each row that it covers',
      '<tr><td rowspan="2">N</td><td>1</td></tr><tr><td>2</td></tr>',
      '| N | 1 |\n| N | 2 |',
    ],
    [
      'to the end of its group',
      '<tr><td rowspan="0">N</td><td>1</td></tr><tr><td>2</td></tr><tbody><tr><td>3</td><td>4</td></tr>',
      '| N | 1 |\n| N | 2 |\n| 3 | 4 |',
    ],
    ['empty cells beside a value', '<tr><td colspan="2">Sum</td><td>3</td></tr>', '| Sum |  | 3 |'],
    [
      'no more columns than the table',
      '<tr><td>1</td><td>2</td></tr><tr><td colspan="1000">all</td></tr>',
      '| 1 | 2 |\n| all |  |',
    ],
    ['a foot after the body', '<tfoot><tr><td>3</td></tr></tfoot><tr><td>1</td></tr>', '| 1 |\n| 3 |'],
  ])('keeps in a table: %s', (_what, rows, text) => {
    const [shown = ''] = textsOf(`<table>${rows}</table>`);
    expect(shown.split('\n').slice(2).join('\n')).toBe(text);
  });

  it('makes one row of names of all header rows, and a line of a title over all columns', () => {
    const head =
      '<tr><th colspan="3">Sales</th></tr><tr><th rowspan="2">Year</th><th colspan="2">Units</th></tr><tr><th>in</th><th>out</th></tr>';
    const html = `<table><caption>T 1</caption><thead>${head}</thead><tr><td>2031</td><td>4</td><td>5</td></tr></table>`;
    expect(textsOf(html)).toEqual([
      'T 1',
      'Sales',
      '| Year | Units in | Units out |\n| --- | --- | --- |\n| 2031 | 4 | 5 |',
    ]);
  });

  it('limits what spans add', () => {
    const row = `<tr><td rowspan="9999">${'x'.repeat(999)}</td><td colspan="1000">1</td></tr>`;
    expect(textsOf(`<table>${row}${'<tr><td>2</td></tr>'.repeat(500)}</table>`).join('').length).toBeLessThan(
      200_000,
    );
  });

  it('replaces a layout table by its content', () => {
    expect(textsOf('<table><tr><td><h1>A</h1><p>b</p></td></tr></table>')).toEqual(['#A', 'b']);
  });

  it('makes one block per list item', () => {
    expect(textsOf('<ol start="3"><li>a</li><li>b<ul><li>c</li></ul></li></ol>')).toEqual([
      '3. a',
      '4. b\n   - c',
    ]);
  });

  it.each(['div', 'pre', 'article', 'details'])('rejects <%s> that is nested too deeply', (name) => {
    const startedAt = process.cpuUsage().user;
    expect(() => readHtml(`<${name}>`.repeat(20_000))).toThrow(MalformedDocumentError);
    expect(process.cpuUsage().user - startedAt).toBeLessThan(1_000_000);
  });

  it.each(['kbd', 'mark', 'samp', 'small', 'time'])('rejects <%s> that is nested too deeply', (name) => {
    expect(() => readHtml(`<p>a${`<${name}>`.repeat(1_001)}b`)).toThrow(MalformedDocumentError);
  });

  it.each([
    ['kbd', 'a', '<kbd>a</kbd>'],
    ['mark', 'a', 'a'],
    ['div', 'a', 'a'],
    ['kbd', '', 'none'],
    ['div', '', 'none'],
    ['b', ' ', 'none'],
    ['x-y', '', 'none'],
  ])('reads 2,000 nested <%s> around "%s" in time', (name, text, shown) => {
    const nested = `<p>${`<${name}>`.repeat(1_000)}${text}${`</${name}>`.repeat(1_000)}</p>`;
    const startedAt = process.cpuUsage().user;
    expect(textsOf(`${nested.repeat(2)}<p>none</p>`)[0]).toBe(shown);
    expect(process.cpuUsage().user - startedAt).toBeLessThan(1_000_000);
  });

  it('reads a page of frames, which has no text', () => {
    expect(textsOf('<html><frameset><frame src="a.html"></frameset></html>')).toEqual([]);
  });

  it('keeps what blank elements show', () => {
    const blank = '<b><i></i></b>';
    expect(
      textsOf(`<p>a<b><i> </i></b>b${blank}c<span><b></b><br></span>d<span><div><i></i></div></span>e</p>`),
    ).toEqual(['a bc  \nd', 'e']);
  });
});
