import { guessSites } from '../../../../src/ingest/links/place-links.js';

const PAGES = ['a.md', 'b.md', 'c.md', 'd.md', 'site/e.md', 'site/start.md'].map((path) => ({
  path,
  url: null,
}));
const guess = (...hrefs: readonly string[]) =>
  guessSites(
    hrefs.map((href) => ({ from: 'site/start.md', href })),
    PAGES,
  );
const on = (host: string, names: string) => [...names].map((name) => `https://${host}/${name}`);

describe('guessSites', () => {
  it.each([
    ['a host with five addresses that are pages', on('example.org', 'abcde'), ['https://example.org']],
    ['a host with three of five', on('example.org', 'abcxy'), ['https://example.org']],
    ['no host with five of nine', on('example.org', 'abcdevwxy'), []],
    ['no host with four', on('example.org', 'abcd'), []],
    ['no host with one address on every page', Array<string>(9).fill('https://example.org/a'), []],
    [
      'no host by its start page',
      [...on('example.org', 'abcd'), 'https://example.org', 'https://example.org/'],
      [],
    ],
    ['no host by links from the root', ['/a', '/b', '/c', '/d', '/e'], []],
    ['no host of code', ['a/b', 'a/c', 'a/d', 'b/a', 'b/c'].map((path) => `https://code.test/${path}`), []],
  ])('guesses %s', (_name, hrefs, expected) => {
    expect(guess(...hrefs)).toEqual(expected);
  });

  it('ignores http, www and fragments', () => {
    expect(
      guess(
        'http://example.org/a',
        'https://www.example.org/b',
        'https://example.org/c#x',
        '//EXAMPLE.org/d?x',
        'https://example.org/e/',
      ),
    ).toEqual(['https://example.org']);
  });

  it('sorts the hosts', () => {
    expect(guess(...on('b.test', 'abcde'), ...on('a.test', 'abcde'))).toEqual([
      'https://a.test',
      'https://b.test',
    ]);
  });
});
