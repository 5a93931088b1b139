import {
  boundId,
  decodePath,
  encodedId,
  encodePath,
  readerAddress,
  sectionMetadata,
  sectionReaderAddress,
  sectionReaderUrl,
  sectionUrl,
} from '../../../src/core/section-id.js';

describe('encodePath', () => {
  it.each([
    ['a/b.md', 'a/b.md'],
    ['a b#c%d.md', 'a%20b%23c%25d.md'],
    ['漢字\u3000é.md', '漢字%E3%80%80é.md'],
    ['a\u0007\n', 'a%07%0A'],
    ['a\\b/c.md', 'a\\b/c.md'],
  ])('encodes %j as %s, and decodePath reverses it', (path, encoded) => {
    expect(encodePath(path)).toBe(encoded);
    expect(decodePath(encoded)).toBe(path);
  });

  it('keeps text that is not percent-encoded', () => {
    expect(decodePath('100%.md and %zz and %FF and %41')).toBe('100%.md and %zz and %FF and A');
  });
});

describe('boundId', () => {
  it('keeps an id of 1,024 bytes', () => {
    expect(boundId('a'.repeat(1024))).toBe('a'.repeat(1024));
  });

  it('shortens a longer id to its start and a hash, without splitting a character', () => {
    const id = boundId(`a${'漢'.repeat(400)}`);
    expect(id).toMatch(/^a漢{299}~[0-9a-f]{16}$/);
    expect(boundId(`a${'漢'.repeat(401)}`)).not.toBe(id);
  });
});

describe('encodedId and decodePath', () => {
  it('compose accents, as the paths of an index are', () => {
    expect(decodePath('cafe\u0301/a%20b.md')).toBe('caf\u00e9/a b.md');
    expect(encodedId('cafe\u0301.md#entre\u0301es')).toBe('caf\u00e9.md#entr\u00e9es');
  });
});

describe('sectionUrl', () => {
  it.each([
    ['page=12', null, 'a%20b.pdf#page=12'],
    ['page=12', 'https://example.org/b.pdf', 'https://example.org/b.pdf#page=12'],
    ['steps', 'https://example.org/a', 'https://example.org/a#steps'],
    ['a step', 'https://example.org/a', 'https://example.org/a#a%20step'],
    ['steps', 'https://example.org/a#top', 'https://example.org/a#top'],
    [null, 'https://example.org/a', 'https://example.org/a'],
    ['steps', null, null],
    [null, null, null],
  ])('of a section with anchor %s in a document at %s is %s', (anchor, url, expected) => {
    expect(sectionUrl({ anchor }, { path: 'a b.pdf', url })).toBe(expected);
  });
});

it('leaves the anchor of a section out of a URL that would be longer than 500 bytes', () => {
  const urlWith = (length: number) =>
    sectionUrl({ anchor: 'x'.repeat(length) }, { path: 'a', url: 'https://a.example' });
  expect(urlWith(482)).toHaveLength(500);
  expect(urlWith(483)).toBe('https://a.example');
});

describe('sectionMetadata', () => {
  it('has the page of a section in a format with pages', () => {
    const document = { metadata: { version: '2' } };
    expect(sectionMetadata({ anchor: 'page=12' }, document)).toEqual({ version: '2', page: '12' });
    expect(sectionMetadata({ anchor: 'steps' }, document)).toEqual({ version: '2' });
  });
});

describe('readerAddress', () => {
  it.each([
    ['guides/berth one.md', '', '/read/guides/berth%20one.md'],
    ['a#b?c%d.md', 'x/y z', '/read/a%23b%3Fc%25d.md#x/y%20z'],
    ['漢"<>.md', '', '/read/%E6%BC%A2%22%3C%3E.md'],
    ['\ud800.md', '', '/read/%EF%BF%BD.md'],
  ])('is an address for %j and %j', (path, fragment, address) => {
    expect(readerAddress(path, fragment)).toBe(address);
  });
});

describe('sectionReaderAddress', () => {
  it.each([
    ['guides/berth%20one.md#leave/at-night', '/read/guides/berth%20one.md#leave/at-night'],
    ['a%23b.md', '/read/a%23b.md'],
  ])('leads from %s to %s', (id, address) => {
    expect(sectionReaderAddress(id)).toBe(address);
  });
});

describe('sectionReaderUrl', () => {
  it('leads to the section, and in a format with pages to the page', () => {
    expect(sectionReaderUrl({ id: 'a.md#b/c', anchor: 'c' })).toBe('/read/a.md#b/c');
    expect(sectionReaderUrl({ id: 'a.pdf#b', anchor: 'page=3' })).toBe('/read/a.pdf#page=3');
  });

  it('ends before a fragment that is too long', () => {
    expect(sectionReaderUrl({ id: `a.md#${'b'.repeat(600)}`, anchor: 'b' })).toBe('/read/a.md');
  });
});
