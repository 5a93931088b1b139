import fc from 'fast-check';
import {
  compareHits,
  type Hit,
  nameOf,
  scoreHits,
  type Scoring,
  type TitleMemo,
} from '../../../../src/kb/search/score-hits.js';

interface HitParts extends Partial<Pick<Hit, 'documentId' | 'documentTitle' | 'ordinal' | 'kind'>> {
  readonly lexical?: number;
  readonly title?: string;
  /** Cosine of the section and the question; without it, the section has no vector. */
  readonly cosine?: number | null;
}

interface ComparedHit extends Hit {
  readonly cosine: number | null;
}

function aHit(sectionId: string, parts: HitParts = {}): ComparedHit {
  const defaults = { documentId: 1, documentTitle: '', ordinal: 0, title: '', lexical: 1, cosine: null };
  return { sectionId, ...defaults, ...parts };
}

/** With weight 0 for vectors, the question has no vector. */
function score(hits: readonly ComparedHit[], scoring: Partial<Scoring> = {}) {
  const whole = { terms: [], rankedBy: 'both' as const, vectorWeight: 0.25, ...scoring };
  const cosinesOf = (compared: readonly ComparedHit[]) =>
    compared.map(({ cosine }) => (whole.vectorWeight > 0 ? cosine : null));
  const scored = scoreHits(hits, compareHits(hits, whole, cosinesOf), whole);
  return scored.map(({ hit, ...rest }) => ({ ...hit, ...rest }));
}

/** As `id score`. */
const ranked = (hits: readonly ComparedHit[], scoring?: Partial<Scoring>): string[] =>
  score(hits, scoring).map((hit) => `${hit.sectionId} ${hit.score}`);

describe('the words of titles', () => {
  it('are kept for a limited number of titles', () => {
    const titles: TitleMemo = new Map();
    score([aHit('a', { title: 'Owls' })], { titles, terms: ['owl'] });
    const [words] = [...titles.values()];
    for (let i = 1; words && i < 50_000; i++) titles.set(`title ${i}`, words);
    score([aHit('b', { title: 'Another owl' })], { titles, terms: ['owl'] });
    expect([titles.has('Another owl'), titles.size]).toEqual([true, 1]);
  });
});

describe('scoreHits', () => {
  it('puts lists of changes and the like behind guides, unless the question is about changes', () => {
    const hits = [
      aHit('changes', { lexical: 4, kind: 'changes' }),
      aHit('guide', { lexical: 3 }),
      aHit('tutorial', { lexical: 2, kind: 'tutorial' }),
      aHit('list', { lexical: 1, kind: 'list' }),
    ];
    expect(ranked(hits)).toEqual(['guide 0.75', 'changes 0.5', 'tutorial 0.5', 'list 0.125']);
    expect(ranked(hits, { countsAll: true })).toEqual([
      'changes 1',
      'guide 0.75',
      'tutorial 0.5',
      'list 0.25',
    ]);
    expect(score(hits)[1]?.shares).toEqual({ words: 1, title: 0, vector: 0, kind: -0.5 });
  });

  it('puts sections with the identifier first, in the same case before others, unless a heading is the identifier', () => {
    const containments = new Map<string, 'same' | 'other_case'>([
      ['b', 'other_case'],
      ['c', 'same'],
      ['d', 'other_case'],
    ]);
    const hits = [
      aHit('a', { lexical: 9 }),
      aHit('b', { lexical: 1 }),
      aHit('c', { lexical: 1 }),
      aHit('d', { title: 'Mast' }),
    ];
    const containment = ({ sectionId }: Hit) => containments.get(sectionId) ?? ('none' as const);
    const first = score(hits, { name: nameOf('mast'), containment });
    expect(first.map(({ sectionId }) => sectionId)).toEqual(['d', 'c', 'b', 'a']);
  });

  it.each<[string, ComparedHit[], Partial<Scoring>, string[]]>([
    ['nothing', [], {}, []],
    [
      'words as a share of the best',
      [aHit('a', { lexical: 8 }), aHit('b', { lexical: 2 })],
      {},
      ['a 1', 'b 0.25'],
    ],
    ['ties by section id', [aHit('b'), aHit('c'), aHit('a')], {}, ['a 1', 'b 1', 'c 1']],
    [
      'a title that is asked for',
      [aHit('a'), aHit('b', { title: 'Rate limits' })],
      { terms: ['rate', 'limit'] },
      ['b 1.15', 'a 1'],
    ],
    [
      'half a title by half',
      [aHit('a'), aHit('b', { title: 'Rate limits' })],
      { terms: ['rate'] },
      ['b 1.075', 'a 1'],
    ],
    [
      'a title without its stop words',
      [aHit('a', { title: 'What is the owl' })],
      { terms: ['owl'] },
      ['a 1.15'],
    ],
    ['a title of stop words as none', [aHit('a', { title: 'What is it' })], { terms: ['what'] }, ['a 1']],
    [
      'vectors as a share between the farthest and the nearest',
      [aHit('a', { cosine: 0.1 }), aHit('b', { cosine: 0.9 }), aHit('c', { cosine: 0.5 })],
      {},
      ['b 1.25', 'c 1.125', 'a 1'],
    ],
    ['cosines below 0 too', [aHit('a', { cosine: -0.5 }), aHit('b', { cosine: 0 })], {}, ['b 1.25', 'a 1']],
    [
      'equal vectors as no signal',
      [aHit('a', { cosine: 0.5 }), aHit('b', { cosine: 0.5 })],
      {},
      ['a 1', 'b 1'],
    ],
    [
      'a section without a vector by its words',
      [aHit('a', { cosine: 0.1 }), aHit('b'), aHit('c', { cosine: 0.2 })],
      {},
      ['c 1.25', 'a 1', 'b 1'],
    ],
    [
      'no vectors by words alone',
      [aHit('a', { cosine: 0.1 }), aHit('b', { cosine: 0.9 })],
      { vectorWeight: 0 },
      ['a 1', 'b 1'],
    ],
    [
      'by words only on request',
      [aHit('a', { cosine: 0.1 }), aHit('b', { cosine: 0.9 })],
      { rankedBy: 'lexical' },
      ['a 1', 'b 1'],
    ],
    [
      'by vectors only on request',
      [aHit('a', { lexical: 9, cosine: 0.1 }), aHit('b', { lexical: 1, cosine: 0.9 })],
      { rankedBy: 'vector' },
      ['b 1', 'a 0'],
    ],
    [
      'by words if vectors are requested but missing',
      [aHit('a', { lexical: 4 }), aHit('b', { lexical: 1 })],
      { rankedBy: 'vector', vectorWeight: 0 },
      ['a 1', 'b 0.25'],
    ],
    ['words without weight as 0', [aHit('a', { lexical: 0 }), aHit('b', { lexical: 0 })], {}, ['a 0', 'b 0']],
  ])('ranks %s', (_, hits, scoring, expected) => {
    expect(ranked(hits, scoring)).toEqual(expected);
  });

  describe('if the question is a title', () => {
    const name = nameOf('Rate limits');
    const title = 'Rate limits';
    const best = aHit('best', { lexical: 9, cosine: 0.9, title: 'All rate limits' });
    const headed = aHit('headed', { lexical: 5, cosine: 0.8, title });
    const page = { documentId: 2, documentTitle: title };
    const start = aHit('start', { ...page, lexical: 1, cosine: 0.1, title: 'Synopsis' });
    const later = aHit('later', { ...page, lexical: 4, cosine: 0.2, ordinal: 3 });

    it.each(['both', 'lexical', 'vector'] as const)(
      'puts the start of that page first, then sections with that heading: by %s',
      (by) => {
        const ids = score([best, headed, later, start], { name, rankedBy: by }).map((hit) => hit.sectionId);
        expect(ids.slice(0, 3)).toEqual(['start', 'headed', 'best']);
      },
    );

    it('takes the first of the sections that were found as the start', () => {
      const last = aHit('last', { ...page, lexical: 4.5, ordinal: 7 });
      expect(score([best, headed, last, later], { name })[0]?.sectionId).toBe('later');
    });

    it('reports the reason as a share of the score', () => {
      const [first] = score([best, start], { name });
      // The best score without this rule is 1.25: 1.25 + 0.1 × 1.25 + 0.1 × 0.1111.
      expect(first).toMatchObject({ score: 1.3861, shares: { words: 0.1111, named: 1.275 } });
    });

    it('changes nothing if no title is the whole question, or the question has no word', () => {
      const hits = [best, headed, start];
      expect(score(hits, { name: nameOf('Rate limits of the API') })).toEqual(score(hits));
      expect(score([aHit('a', { title: '???' })], { name: nameOf('!') })).toEqual(
        score([aHit('a', { title: '???' })]),
      );
    });
  });

  it('reports the cosine of compared hits, and null for others', () => {
    const hits = [aHit('a', { cosine: 0.3 }), aHit('b')];
    const vectors = (rankedBy: Scoring['rankedBy']) => score(hits, { rankedBy }).map(({ vector }) => vector);
    expect(vectors('both')).toEqual([0.3, null]);
    expect(vectors('lexical')).toEqual([null, null]);
  });

  it('puts sections without a cosine last if only vectors rank', () => {
    const compared = Array.from({ length: 100 }, (_, i) => aHit(`a${100 + i}`, { cosine: i / 100 }));
    const hits = [...compared, aHit('beyond', { cosine: 0.5 }), aHit('without')];
    const last = score(hits, { rankedBy: 'vector' }).slice(-2);
    expect(last.map(({ sectionId }) => sectionId).sort()).toEqual(['beyond', 'without']);
  });

  const hits = fc
    .uniqueArray(
      fc.record({
        id: fc.stringMatching(/^[a-c]{1,3}$/),
        lexical: fc.constantFrom(0, 0.0001, 0.5, 3, 25),
        cosine: fc.option(fc.integer({ min: -100, max: 100 }), { nil: null }),
      }),
      { selector: ({ id }) => id, maxLength: 12 },
    )
    .map((list) => [...list].sort((a, b) => b.lexical - a.lexical))
    .map((list) =>
      list.map(({ id, lexical, cosine }) =>
        aHit(id, { lexical, cosine: cosine === null ? null : cosine / 100 }),
      ),
    );
  const rankedBy = fc.constantFrom('lexical' as const, 'vector' as const, 'both' as const);

  it('returns every hit once, best first, ties by id, with scores of 0 or more in four places', () => {
    fc.assert(
      fc.property(hits, rankedBy, (list, by) => {
        const scored = score(list, { rankedBy: by });
        const sorted = [...scored].sort((a, b) => b.score - a.score || (a.sectionId < b.sectionId ? -1 : 1));
        expect(scored).toEqual(sorted);
        expect(scored.map(({ sectionId }) => sectionId).sort()).toEqual(
          list.map(({ sectionId }) => sectionId).sort(),
        );
        expect(
          scored.filter((hit) => !(hit.score >= 0 && hit.score === Number(hit.score.toFixed(4)))),
        ).toEqual([]);
      }),
    );
  });

  it('reports the contribution of each signal to the score', () => {
    const hits = [
      aHit('a', { lexical: 8, cosine: 0.2 }),
      aHit('b', { lexical: 4, title: 'Rate', cosine: 0.6 }),
    ];
    expect(score(hits, { terms: ['rate'] }).map(({ shares }) => shares)).toEqual([
      { words: 1, title: 0, vector: 0 },
      { words: 0.5, title: 0.15, vector: 0.25 },
    ]);
  });
});
