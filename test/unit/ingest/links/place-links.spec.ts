import { type LabelPlace, linkPlacer, type PlacedLink } from '../../../../src/ingest/links/place-links.js';

const aPage = (path: string) => ({ path, title: path, url: null });

interface Given {
  readonly title?: string | null;
  readonly labels?: ReadonlyMap<string, LabelPlace>;
}

/** The place of a link on `a.md`. `b.md` has two headings, an id in the second one and an id before both. */
function place(href: string, { title = 'The owl', labels = new Map() }: Given = {}): PlacedLink {
  const headings = new Map([
    ['nest', 1],
    ['food', 2],
  ]);
  const ids = new Map([
    ['vole', 2],
    ['banner', null],
  ]);
  const pages = { pages: [aPage('a.md'), aPage('b.md')], siteUrls: [], guessedSites: [] };
  const lookup = { anchorsOf: () => ({ headings, ids }), titleOf: () => title, labels: () => labels };
  return linkPlacer(pages, lookup)({ from: 'a.md', href });
}

describe('linkPlacer', () => {
  it.each<[string, string, PlacedLink]>([
    ['a page', 'b.md', { path: 'b.md', place: null, isDead: false }],
    ['a heading', 'b.md#food', { path: 'b.md', place: 2, isDead: false }],
    ['a heading in other case', 'b.md#Food', { path: 'b.md', place: 2, isDead: false }],
    ['an id', 'b.md#vole', { path: 'b.md', place: 2, isDead: false }],
    ['an id that is percent-encoded', 'b.md#v%6Fle', { path: 'b.md', place: 2, isDead: false }],
    ['an id in no place', 'b.md#banner', { path: 'b.md', place: null, isDead: false }],
    ['the top of a page', 'b.md#top', { path: 'b.md', place: null, isDead: false }],
    ['the title of a page', 'b.md#the-owl', { path: 'b.md', place: null, isDead: false }],
    ['a heading that is not there', 'b.md#wings', { path: 'b.md', place: null, isDead: true }],
    ['a page that is not there', 'c.md', { path: null, place: null, isDead: true }],
    ['another site', 'https://example.org/', { path: null, place: null, isDead: false }],
  ])('places %s', (_, href, expected) => {
    expect(place(href)).toEqual(expected);
  });

  it('finds no title on a page without text', () => {
    expect(place('b.md#the-owl', { title: null })).toMatchObject({ isDead: true });
  });

  const labels = new Map([['(birds-wings)=', { path: 'b.md', place: 2 }]]);

  it.each<[string, PlacedLink]>([
    ['#birds/wings', { path: 'b.md', place: 2, isDead: false }],
    ['project:#birds/wings', { path: 'b.md', place: 2, isDead: false }],
    ['Birds/wings', { path: 'b.md', place: 2, isDead: false }],
    ['#nest', { path: 'a.md', place: 1, isDead: false }],
    ['#birds.Owl', { path: null, place: null, isDead: false }],
    ['c.md', { path: null, place: null, isDead: true }],
    ['b.md#wings', { path: 'b.md', place: null, isDead: true }],
    ['./c', { path: null, place: null, isDead: true }],
  ])('places %s where pages have labels of Sphinx', (href, expected) => {
    expect(place(href, { labels })).toEqual(expected);
  });
});
