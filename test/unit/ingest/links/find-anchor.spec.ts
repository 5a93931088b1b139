import { anchorFinder, isTitleAnchor } from '../../../../src/ingest/links/place-links.js';

const ANCHORS = [
  'set-up',
  'Own-Id',
  'über-uns',
  '_meta',
  'front_end',
  'a-b',
  'a_b',
  'faq',
  'faq-1',
  '日本語',
];

describe('anchorFinder', () => {
  it.each([
    ['as written', 'set-up', 'set-up'],
    ['one of several with a number', 'faq-1', 'faq-1'],
    ['percent-encoded', '%C3%BCber-uns', 'über-uns'],
    ['in another case', 'SET-UP', 'set-up'],
    ['an explicit one in another case', 'own-id', 'Own-Id'],
    ['as the heading itself', 'Set up', 'set-up'],
    ['as the heading itself, encoded', 'Set%20up', 'set-up'],
    ['without punctuation', 'meta', '_meta'],
    ['with other punctuation', 'front-end', 'front_end'],
    ['another script', '日本語', '日本語'],
    ['exact before alike', 'a_b', 'a_b'],
    ['alike to two', 'ab', null],
    ['only punctuation', '---', null],
    ['broken encoding', '%E0%A4%A', null],
    ['unknown', 'nowhere', null],
    ['empty', '', null],
  ])('finds a heading by its anchor: %s', (_name, fragment, expected) => {
    expect(anchorFinder(ANCHORS)(fragment)).toBe(expected);
  });

  it('finds no anchor on a page without headings', () => {
    expect(anchorFinder([])('a')).toBeNull();
  });
});

describe('isTitleAnchor', () => {
  it.each([
    ['as GitHub makes it', 'all-about-it', true],
    ['in another case', 'All-About-It', true],
    ['with other punctuation', 'all_about_it', true],
    ['of another heading', 'about-it', false],
  ])('recognizes an anchor %s', (_, fragment, expected) => {
    expect(isTitleAnchor('All about it', fragment)).toBe(expected);
  });

  it('is false for a title without letters', () => {
    expect(isTitleAnchor('???', '-')).toBe(false);
  });
});

describe('anchorFinder with accents', () => {
  it.each([
    ['caf\u00e9-menu', 'cafe\u0301-menu'],
    ['cafe\u0301-menu', 'caf\u00e9-menu'],
    ['caf%C3%A9-menu', 'cafe\u0301-menu'],
  ])('finds the anchor of %j in another form', (fragment, anchor) => {
    expect(anchorFinder([anchor])(fragment)).toBe(anchor);
  });
});
