import { documentUri, pathOfUri } from '../../../../src/search-docs/documents/document-uri.js';

describe('documentUri', () => {
  it.each(['a.md', 'a/b c.md', 'ä/100%.md', 'c#?.md', "it's (1).md"])('leads back to %s', (path) => {
    expect(pathOfUri(documentUri(path))).toBe(path);
  });
});

describe('pathOfUri', () => {
  it('accepts a path that is not encoded', () => {
    expect(pathOfUri('docs:///a b.md')).toBe('a b.md');
  });

  it.each([
    'docs:///',
    'docs://a.md',
    'docs:/a.md',
    'DOCS:///a.md',
    'file:///a.md',
    'docs:///a.md?x=1',
    'docs:///a.md#use',
    'docs:///%E0%A4%A.md',
    'a.md',
    '',
  ])('finds no path in %j', (uri) => {
    expect(pathOfUri(uri)).toBeNull();
  });
});
