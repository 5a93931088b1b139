import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { documentLinks } from '../../../../src/admin/people/document-links.js';
import { readDefinitions, renderMarkdown } from '../../../../src/admin/people/render-markdown.js';
import { html } from '../../../../src/admin/views/html.js';

const OPTIONS = {
  linkTo: documentLinks('guides/berth.md', true),
  placeHeading: (_: string, level: number) => ({ level, id: null }),
};
const rendered = (text: string, env?: object): string => String(html`${renderMarkdown(text, OPTIONS, env)}`);

/** Start tags that differ, since parsers open at most three equal ones again. */
const named = (name: string, count: number, after = ''): string =>
  Array.from({ length: count }, (_, i) => `<${name} id=${i}>${after}`).join('');

type Node = DefaultTreeAdapterTypes.ChildNode;

/** Elements with their attributes, as a browser reads them. */
function elementsIn(nodes: readonly Node[]): string[] {
  return nodes.flatMap((node) => {
    if (!('tagName' in node)) return [];
    const attributes = node.attrs.map(({ name, value }) => `${name}=${value}`);
    return [[node.tagName, ...attributes].join(' '), ...elementsIn(node.childNodes)];
  });
}

describe('renderMarkdown', () => {
  it.each([
    ['**bold** and `code`', '<p><strong>bold</strong> and <code>code</code></p>'],
    ['- one\n- two', '<ul><li>one</li><li>two</li></ul>'],
    ['one\ntwo', '<p>one\ntwo</p>'],
    ['one\\\ntwo<br>three', '<p>one<br />two<br />three</p>'],
    ['```sh\na < b\n```', '<pre tabindex="0"><code>a &lt; b\n</code></pre>'],
    ['![a map](map.png)', '<p>a map</p>'],
    ['[](other.md)', '<p><a href="/read/guides/other.md">other.md</a></p>'],
    ['<div>In a **box**</div>', '<div>In a **box**</div>'],
    ['x &amp; y <kbd>K</kbd>', '<p>x &amp; y K</p>'],
    ['###', ''],
  ])('writes %j', (text, markup) => {
    expect(rendered(text)).toBe(markup);
  });

  it('writes tables that can be scrolled, without empty headings', () => {
    expect(rendered('| | b |\n|---|---|\n| 1 | 2 |')).toBe(
      '<div class="scroll" role="group" aria-label="Table" tabindex="0"><table><thead><tr><td></td><th>b</th></tr></thead>' +
        '<tbody><tr><td>1</td><td>2</td></tr></tbody></table></div>',
    );
  });

  it('follows a link that is defined in another section', () => {
    const env = readDefinitions(['[x]: https://example.org/a']);
    expect(rendered('See [it][x].', env)).toBe(
      '<p>See <a href="https://example.org/a" rel="noopener noreferrer nofollow">it</a>.</p>',
    );
  });

  it.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '<svg onload=alert(1)><script>alert(1)</script></svg>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<a href="javascript:alert(1)" onclick="alert(1)">x</a>',
    '<a href="JaVa\tScRiPt:alert(1)">x</a>',
    '<div style="position:fixed" id="main" class="skip" onmouseover="x">x</div>',
    '<form action="https://evil.example"><input name=q><button>x</button></form>',
    '<base href="https://evil.example/"><link rel=stylesheet href="//evil.example/x.css">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example">',
    '<style>*{display:none}</style>',
    '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)></style></mglyph></table></mtext></math>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<template><img src=x onerror=alert(1)></template>',
    '</article></main></body><script>alert(1)</script>',
    '</details></div></article>',
    '[x](javascript:alert(1))',
    '[x](data:text/html,<script>alert(1)</script>)',
    '[x](vbscript:x "\\" onmouseover=alert(1) \\"")',
    '[x](<https://evil.example/" onmouseover="alert(1)>)',
    '![x](https://evil.example/pixel.png)',
    '<https://evil.example/"onmouseover=alert(1)>',
    '# x <img src=x onerror=alert(1)>',
    '| <script>alert(1)</script> |\n|---|\n| <img src=x onerror=alert(1)> |',
    '```"><script>alert(1)</script>\nx\n```',
    '`<script>alert(1)</script>`',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<details open ontoggle=alert(1)><summary>x</summary>y</details>',
    '<p><a href="x"><b>unclosed',
    '<table><tr><td><form><a href="https://a.example"><table><a href="javascript:1">',
  ])('writes elements of ours alone, with no attribute of the document: %j', (text) => {
    const elements = elementsIn(parseFragment(rendered(text)).childNodes);
    const strange = elements.filter(
      (element) =>
        !/^(?:p|div|ul|ol|li|em|strong|s|kbd|sub|sup|code|blockquote|table|thead|tbody|tr|th|td|h1|pre tabindex=0)$/.test(
          element,
        ) &&
        element !== 'div class=scroll role=group aria-label=Table tabindex=0' &&
        !/^a href=(?:\/read\/|#)\S*$/.test(element) &&
        !/^a href=https:\/\/\S+ rel=noopener noreferrer nofollow$/.test(element),
    );
    expect(strange).toEqual([]);
  });

  it.each([
    ['elements that are opened again', `<p>${named('b', 250)}${'<p>x'.repeat(500)}`],
    ['fewer of them, below the limit of depth', `<p>${named('b', 20)}${'<p>x'.repeat(2_000)}`],
    ['end tags of other elements between them', `<p>${named('b', 20, '</i>')}${'<p>x'.repeat(2_000)}`],
    ['elements that are opened again around links', `<p>${named('b', 20)}${'<p><a>x'.repeat(2_000)}`],
    ['many attributes of one tag', `<p${' a'.repeat(6_000)}>`],
  ])('shows HTML as it is written if its tree would be far larger: %s', (_, text) => {
    const markup = rendered(`<div>${text}`);
    expect(elementsIn(parseFragment(markup).childNodes)).toEqual(['pre tabindex=0', 'code']);
    expect(markup).toContain('&lt;div&gt;');
  });

  it('reads HTML of which some elements are not closed', () => {
    expect(rendered('<p><b>one<p>two')).toBe('<p><strong>one</strong></p><p><strong>two</strong></p>');
  });

  it('takes no name of a document for one of JavaScript', () => {
    expect(rendered('<div><constructor>x</constructor><tostring>y</tostring></div>')).toBe('<div>xy</div>');
    expect(rendered('<div><__proto__>x</__proto__><hasOwnProperty>y</hasOwnProperty></div>')).not.toMatch(
      /object|function|native/,
    );
  });

  it('is not stopped by deep nesting', () => {
    expect(elementsIn(parseFragment(rendered('<div>'.repeat(5_000))).childNodes)).toHaveLength(2);
    expect(rendered('> '.repeat(5_000)).length).toBeLessThan(20_000);
    expect(rendered('[a](b '.repeat(2_000)).length).toBeLessThan(40_000);
  });
});
