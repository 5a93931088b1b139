import type { IndexedDocument } from '../../../src/core/indexed-document.js';
import { searchTerms } from '../../../src/text/terms/search-terms.js';
import { aHeading, aLink, aMention, aPage, aStep } from '../../support/graphs.js';

/** A page that links to this many others, and those pages. */
export function pagesLinkedFrom(path: string, count: number): IndexedDocument[] {
  const names = Array.from({ length: count }, (_, i) => `${path}-${String(i).padStart(3, '0')}.md`);
  return [aPage(path, { links: names.map((name) => aLink(name)) }), ...names.map((name) => aPage(name))];
}

/** This many pages that mention an entity. */
export function pagesThatName(name: string, count: number): IndexedDocument[] {
  return Array.from({ length: count }, (_, i) =>
    aPage(`names-${String(i).padStart(3, '0')}.md`, { mentions: [aMention(name)] }),
  );
}

/** Two documents with everything that a graph can contain, linked in both directions. */
const GUIDE = aPage(
  'guide.md',
  {
    headings: [
      aHeading('guide.md#_preamble', { title: 'Guide', level: 1, anchor: 'guide', sections: [0] }),
      aHeading('guide.md#setup', { title: 'Setup', anchor: 'setup' }),
      aHeading('guide.md#setup/disk', {
        title: 'Disk',
        level: 3,
        anchor: 'disk',
        parent: 'guide.md#setup',
        sections: [1, 2],
      }),
      aHeading('guide.md#use', { title: 'Use', anchor: 'use', sections: [3] }),
    ],
    steps: [aStep('Stop it.', { section: 3 }), aStep('Start it.', { section: 3, number: 2 })],
    links: [
      aLink('ref.md', { section: 0 }),
      aLink('./ref.md', { section: 0 }),
      aLink('#use', { section: 1 }),
      aLink('ref.md#port', { section: 3 }),
      aLink('ref.md#port', { section: 1, isSeeAlso: true }),
    ],
    mentions: [
      aMention('startServer', { section: 0, count: 2 }),
      aMention('PORT', { section: 3, type: 'EnvironmentVariable' }),
      aMention('startServer()', { section: 3, isDefined: true }),
    ],
  },
  { title: 'The guide', texts: ['Alpha.', 'Beta.', 'Gamma.', 'Delta.'], docTag: 'guide' },
);
const REFERENCE = aPage(
  'ref.md',
  {
    headings: [
      aHeading('ref.md#_preamble', { title: 'Ref', level: 1, anchor: 'ref', sections: [0] }),
      aHeading('ref.md#port', { title: 'Port', anchor: 'port', sections: [1] }),
    ],
    links: [aLink('guide.md', { section: 1 })],
    mentions: [aMention('PORT', { section: 1, type: 'EnvironmentVariable', count: 3, isDefined: true })],
  },
  { title: 'The reference', texts: ['Epsilon.', 'Zeta.'], docTag: 'reference', repository: 'other' },
);
/** With ids as `sectionDocument` makes them. */
export function named(document: IndexedDocument, ...ids: readonly string[]): IndexedDocument {
  const { facts } = document;
  const sections = document.sections.map((section, i) => ({ ...section, id: `${facts.path}${ids[i]}` }));
  return { ...document, sections };
}
export const BOTH = [
  named(GUIDE, '#_preamble', '#setup/disk', '#setup/disk/_part-2', '#use'),
  named(REFERENCE, '#_preamble', '#port'),
];
export const PORT = 'entity:port';
export const START = 'entity:startserver';
/** Titles and headings of these pages are entities, too; they have their own suite. */
export const TITLES = new Set(
  ['guide', 'the guide', 'setup', 'disk', 'use', 'ref', 'the reference', 'page'].map(
    (title) => `entity:${searchTerms(title).join(' ')}`,
  ),
);

/** Every node of `BOTH`, without titles. */
export const ALL_NODES = [
  'guide.md#_document',
  'guide.md#_preamble',
  'guide.md#setup',
  'guide.md#setup/disk',
  'guide.md#setup/disk/_part-2',
  'guide.md#use',
  'guide.md#use/_step-1',
  'guide.md#use/_step-2',
  'ref.md#_document',
  'ref.md#_preamble',
  'ref.md#port',
  PORT,
  START,
];
