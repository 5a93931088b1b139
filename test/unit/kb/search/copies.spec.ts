import type { StoredSection } from '../../../../src/core/ports/section-index.port.js';
import { rankMatches } from '../../../../src/kb/search/rank-matches.js';
import type { Hit } from '../../../../src/kb/search/score-hits.js';
import { aDocument, aSection } from '../../../support/builders.js';
import { aQuery } from '../../../support/indexed-documents.js';

const TEXT = 'A kestrel hovers above the meadow.';

/** The section of a version, with the given text. */
function stored(version: string, text: string): StoredSection {
  const path = `${version}/birds.md`;
  return {
    section: aSection({ id: `${path}#kestrel`, title: 'Kestrel', text }),
    document: aDocument({ path, metadata: { version } }),
  };
}

const hit = (version: string, copyKey: string, lexical: number): Hit => ({
  sectionId: `${version}/birds.md#kestrel`,
  documentId: version,
  title: 'Kestrel',
  documentTitle: 'Birds',
  ordinal: 0,
  copyKey,
  lexical,
});

function rank(collapse: Readonly<Record<string, boolean | null>>) {
  const read: string[] = [];
  const ranked = rankMatches(
    {
      byWords: [hit('3', 'x', 9), hit('2', 'x', 8), hit('1', 'y', 7)],
      byVector: [],
      cosinesOf: (hits) => hits.map(() => null),
    },
    {
      query: aQuery('kestrel'),
      scoring: { terms: ['kestrel'], rankedBy: 'both', vectorWeight: 0 },
      titles: new Map(),
      collapse,
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
});
