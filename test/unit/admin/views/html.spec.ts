import { html } from '../../../../src/admin/views/html.js';

describe('html', () => {
  it.each([
    ['<script>alert(1)</script>', '&lt;script&gt;alert(1)&lt;/script&gt;'],
    ['"><img src=x onerror=alert(1)>', '&quot;&gt;&lt;img src=x onerror=alert(1)&gt;'],
    ["' onfocus='x", '&#39; onfocus=&#39;x'],
    ['&lt;', '&amp;lt;'],
    ['`${x}`', '&#96;${x}&#96;'],
    ['a\u0000b\u001bc\u0085d', 'a\ufffdb\ufffdc\ufffdd'],
    ['a\ud800b', 'a\ufffdb'],
    ['line\nline\ttab', 'line\nline\ttab'],
  ])('escapes %j', (text, escaped) => {
    expect(html`<p title="${text}">${text}</p>`.toString()).toBe(`<p title="${escaped}">${escaped}</p>`);
  });

  it('inserts markup without escaping, also in lists', () => {
    const items = ['a', '<b>'].map((text) => html`<i>${text}</i>`);
    expect(html`<p>${items}</p>`.toString()).toBe('<p><i>a</i><i>&lt;b&gt;</i></p>');
  });

  it('renders null, undefined and false as nothing, and 0 as 0', () => {
    expect(html`${null}${undefined}${false}${0}`.toString()).toBe('0');
  });
});
