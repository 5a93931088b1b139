import { documentLinks } from '../../../../src/admin/people/document-links.js';

describe('documentLinks', () => {
  it.each([
    ['https://example.org/a?b#c', 'https://example.org/a?b#c'],
    ['http://example.org', 'http://example.org/'],
    ['//example.org/a', 'https://example.org/a'],
    ['mailto:a@example.org', 'mailto:a@example.org'],
    ['other.md', '/read/guides/other.md'],
    ['./other.md#part', '/read/guides/other.md#part'],
    ['../index.md?x=1#top', '/read/index.md#top'],
    ['/reference/a%20b.md', '/read/reference/a%20b.md'],
    ['a/../b.md', '/read/guides/b.md'],
    ['x"y<z>.md', '/read/guides/x%22y%3Cz%3E.md'],
    ['\\evil.example', '/read/guides/%5Cevil.example'],
    ['a%2F..%2Fb.md', '/read/guides/b.md'],
    ['#part', '#part'],
    [' other.md ', '/read/guides/other.md'],
  ])('leads from %j to %j', (href, address) => {
    expect(documentLinks('guides/berth.md', true)(href)).toBe(address);
  });

  it.each([
    ...['javascript:alert(1)', 'JAVASCRIPT:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'],
    ...[
      'blob:https://example.org/x',
      'ftp://example.org',
      'http://',
      'https://%zz',
      '../../x.md',
      '',
      '#',
      '?x',
    ],
    ...['%2e%2e/%2e%2e/x.md', 'x-pith:1'],
  ])('does not follow %j', (href) => {
    expect(documentLinks('guides/berth.md', true)(href)).toBeNull();
  });

  it('opens the document for a link within it, where only a part of it is shown', () => {
    expect(documentLinks('guides/berth.md', false)('#part')).toBe('/read/guides/berth.md#part');
  });
});
