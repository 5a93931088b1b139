import type { StoredSection } from '../../../../src/core/ports/section-index.port.js';
import { rankMatches } from '../../../../src/kb/search/rank-matches.js';
import type { Hit } from '../../../../src/kb/search/score-hits.js';
import { aDocument, aSection } from '../../../support/builders.js';
import { aQuery } from '../../../support/indexed-documents.js';

const TEXT = 'A kestrel hovers above the meadow.';

/** The section of a version, with the given text. The settings of its site say that 8 is not released. */
function stored(version: string, text: string): StoredSection {
  const path = `${version}/birds.md`;
  const state: Record<string, string> = version === '8' ? { version_state: 'unreleased' } : {};
  return {
    section: aSection({ id: `${path}#kestrel`, title: 'Kestrel', text }),
    document: aDocument({ path, metadata: { version: NAMES[version] ?? version, ...state } }),
  };
}

/** Versions of folders whose names are no versions. */
const NAMES: Readonly<Record<string, string>> = {
  docs: 'next',
  'versioned_docs/version-7': '7',
};

const hit = (version: string, copyKey: string, lexical: number): Hit => ({
  sectionId: `${version}/birds.md#kestrel`,
  documentId: version,
  title: 'Kestrel',
  documentTitle: 'Birds',
  ordinal: 0,
  copyKey,
  lexical,
});

const IN_ORDER = [hit('3', 'x', 9), hit('2', 'x', 8), hit('1', 'y', 7)];

function rank(
  collapse: Readonly<Record<string, boolean | null>>,
  byWords = IN_ORDER,
  query = aQuery('kestrel'),
  current?: string,
) {
  const read: string[] = [];
  const ranked = rankMatches(
    {
      byWords,
      byVector: [],
      cosinesOf: (hits) => hits.map(() => null),
    },
    {
      query,
      scoring: { terms: ['kestrel'], rankedBy: 'both', vectorWeight: 0 },
      titles: new Map(),
      collapse,
      current,
      read: ({ sectionId, documentId }) => {
        read.push(sectionId);
        return stored(String(documentId), documentId === '1' ? 'Something else was written before.' : TEXT);
      },
      textsOf: () => [],
      endStage: () => undefined,
    },
    true,
  );
  return { read, shown: ranked.candidates.map(({ section }) => section.id), repeated: [...ranked.repeated] };
}

describe('rankMatches', () => {
  it('does not read copies of a text that was read, and reports them as repeated', () => {
    const { read, shown, repeated } = rank({});
    expect(read).toEqual(['3/birds.md#kestrel', '1/birds.md#kestrel']);
    expect(shown).toEqual(['3/birds.md#kestrel', '1/birds.md#kestrel']);
    expect(repeated).toEqual([['2/birds.md#kestrel', '3/birds.md#kestrel']]);
  });

  it('shows copies of versions that are kept apart', () => {
    expect(rank({ version: false }).shown).toHaveLength(3);
  });

  it('shows the newest of equal sections in the place of the best', () => {
    const ranked = rank({}, [hit('2', 'x', 9), hit('1', 'y', 8.5), hit('10', 'x', 8), hit('9', 'x', 7)]);
    expect(ranked.shown).toEqual(['10/birds.md#kestrel', '1/birds.md#kestrel']);
    expect(ranked.repeated).toEqual([
      ['2/birds.md#kestrel', '10/birds.md#kestrel'],
      ['9/birds.md#kestrel', '10/birds.md#kestrel'],
    ]);
  });

  it('looks for a newer copy of the last one that fits', () => {
    const query = { ...aQuery('kestrel'), limit: 1 };
    expect(rank({}, [hit('2', 'x', 9), hit('3', 'x', 8)], query).shown).toEqual(['3/birds.md#kestrel']);
  });

  it('shows the current version in the place of the best, if the manifest names one', () => {
    const hits = [hit('3', 'x', 9), hit('2', 'x', 8), hit('4', 'x', 7.5)];
    expect(rank({}, hits, aQuery('kestrel'), '2').shown).toEqual(['2/birds.md#kestrel']);
  });

  it('shows the version that the question names', () => {
    const query = { ...aQuery('kestrel'), text: 'kestrel in version 2' };
    expect(rank({}, [hit('2', 'x', 9), hit('3', 'x', 8)], query).shown).toEqual(['2/birds.md#kestrel']);
  });

  it.each([
    ['a draft by its name', '7', 'draft', 'x'],
    ['a release candidate', '7', '8.0-rc1', 'x'],
    ['a branch', '7', 'main', 'x'],
    ['an unreleased version by the settings of its site', '7', '8', 'x'],
    ['the next version of Docusaurus', 'versioned_docs/version-7', 'docs', 'x'],
    ['the next version of Docusaurus with another text', 'versioned_docs/version-7', 'docs', 'y'],
  ])('shows a released version in the place of %s', (_, released, other, copyKey) => {
    const hits = [hit(other, 'x', 9), hit(released, copyKey, 8.9)];
    expect(rank({}, hits).shown).toEqual([`${released}/birds.md#kestrel`]);
    expect(rank({}, [hit(released, copyKey, 9), hit(other, 'x', 8.9)]).shown).toEqual([
      `${released}/birds.md#kestrel`,
    ]);
  });

  it('shows the newest of unreleased versions if there is no other', () => {
    expect(rank({}, [hit('main', 'x', 9), hit('8.0-rc1', 'x', 8.9)]).shown).toEqual([
      '8.0-rc1/birds.md#kestrel',
    ]);
  });

  it('keeps a section that has more words of the question than the newer version', () => {
    const hits = [hit('1', 'y', 9), hit('3', 'x', 7)];
    expect(rank({ version: true }, hits).shown).toEqual(['1/birds.md#kestrel']);
  });

  it('shows the newest of all that have nearly as many words of the question', () => {
    const hits = [hit('1', 'y', 9), hit('3', 'x', 8)];
    expect(rank({ version: true }, hits).shown).toEqual(['3/birds.md#kestrel']);
  });

  it('shows sections that say something else', () => {
    expect(rank({}, [hit('1', 'y', 9), hit('3', 'x', 8)]).shown).toHaveLength(2);
  });
});
