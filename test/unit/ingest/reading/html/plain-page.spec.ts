import { writePlainPage } from '../../../../../src/ingest/reading/html/plain-page.js';
import { readHtml } from '../../../../../src/ingest/reading/html/read-html.js';

/** Reads a page that a converter made, and the same one with an attribute, for which the document model is needed. */
const bothWays = (body: string): unknown[] => {
  const page = `<title>Ships &amp; berths</title>\n<main>\n${body}</main>\n`;
  return [page, page.replace('<main>', '<main class="page">')].map(readHtml);
};

describe('a page of a converter', () => {
  it.each([
    '<h1 id="a">B</h1>\n',
    '<p>a <b>b</b></p>\n',
    '<ul><li>c</li></ul>\n',
    '<pre><code>d</code></pre>\n',
  ])('needs no document model: %s', (body) => {
    const convertBlock = () => {
      throw new Error('not plain');
    };
    const parts = { escape: String, markOf: () => '', convertBlock };
    expect(writePlainPage(`<main>\n${body}</main>\n`, parts)).not.toBeNull();
  });

  it.each([
    [
      'headings with ids',
      '<h1 id="a/b">Ships_ &lt;T&gt;</h1>\n<h2>2. Use <code>a</code> *</h2>\n<h2 id="x{y}">C</h2>\n',
    ],
    ['paragraphs', '<p>One\n two<br>three <br />\n four </p>\n\n<p></p><p> # five</p><p>- - -\n---</p>\n'],
    ['elements that nobody knows', '<p>a <constructor>b</constructor></p><constructor>c</constructor>'],
    ['parts of lines', '<p>A <strong>bold</strong> <em>word</em>, <b>b</b><i>c</i> <code>d`e</code>.</p>'],
    ['links', '<p><a href="#/a(b)&amp;c">d <code>e</code></a> <a href="#f">¶</a> <a href="data:x">g</a></p>'],
    [
      'lists',
      '<ul><li>One</li>\n<li><p>Two</p><p>three</p></li><li>four\n<ol><li>five</li><li>six<br>seven</li></ol></li></ul>',
    ],
    ['a list in the middle of an item', '<ul><li>One<ul><li>two</li></ul>three</li></ul>'],
    ['a list with a start', '<ol start="4"><li>One</li></ol>'],
    ['code', '<pre><code>\nif (a &lt; b) {\n\n  # c\n}\n\n</code></pre>'],
    [
      'code with fences',
      '<ul><li>a<pre><code>b\n\nc</code></pre></li></ul><pre><code>```\na\n```</code></pre>',
    ],
    ['code with a language', '<pre><code class="language-sh">ls</code></pre>'],
    [
      'tables',
      '<table>\n<thead><tr><th>A</th><th colspan="2">B | c</th></tr>\n</thead>\n<tbody><tr><td rowspan="2"> d </td><td><p>e</p><ul><li>f</li></ul></td><td></td></tr><tr><td>g<br>h</td></tr></tbody>\n</table>\n',
    ],
    ['a table without a header', '<table><tbody><tr><td>a</td><td>b</td></tr></tbody></table>'],
    ['a table of rows alone', '<table><tr><td>a</td></tr><tr><td>b</td></tr></table>'],
    [
      'a layout',
      '<table><tbody><tr><td><h2>A</h2><p>b</p></td><td><pre><code>c</code></pre></td></tr></tbody></table>',
    ],
    [
      'code in a list in a cell',
      '<table><tbody><tr><td><ul><li><pre><code>c</code></pre></li></ul></td></tr></tbody></table>',
    ],
    [
      'other elements',
      '<h2>A</h2><blockquote><p>b</p></blockquote><hr><dl><dt>c</dt><dd>d</dd></dl><p>e <sup>2</sup></p><p>f</p>',
    ],
    [
      'elements that frame a page',
      '<h2>A</h2><aside><p><a href="x">b</a></p></aside><nav><a href="y">c</a></nav>',
    ],
    ['ids of other elements', '<p id="a">b</p><h2>C</h2><p><a id="d"></a>e</p>'],
    ['entities', '<p>&eacute; &#65; & b &lt;i&gt; &amp;amp;</p><h2>&nbsp;a</h2>'],
    ['spaces beside marks', '<p>a<b> b </b>c <code> d </code>e &nbsp; <em>f</em> </p>'],
    [
      'nested marks',
      '<p><b>a <i>b <code>c</code></i></b> <a href="x"><b>d</b></a><a href="y">e<a href="z">f</a></a></p>',
    ],
    ['elements without an end', '<p>a<p>b<ul><li>c<li>d</ul><h2>e'],
    [
      'blocks in paragraphs',
      '<p>a<ul><li>b</li></ul></p><p>c<table><tbody><tr><td>d</td></tr></tbody></table></p>',
    ],
    ['text between blocks', '<h2>A</h2>b<p>c</p>d<br>e'],
    [
      'upper case, comments and pictures',
      '<H2>A</H2><!-- b --><p>c<img src="d.png" alt="e"></p><img src="f.png" alt="g">',
    ],
    ['nothing', ''],
  ])('is read like any other: %s', (_, body) => {
    const [plain, whole] = bothWays(body);
    expect(plain).toEqual(whole);
  });
});
