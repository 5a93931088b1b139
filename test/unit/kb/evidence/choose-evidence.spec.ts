import type { QuoteOptions } from '../../../../src/kb/evidence/choose-by-overlap.js';
import { chooseEvidence, readRanking, readTexts } from '../../../../src/kb/evidence/choose-evidence.js';
import { aCandidate, aRanking, withStructure } from '../../../support/builders.js';

const OPTIONS: QuoteOptions = { maxQuotes: 6, maxQuoteTokens: 80, contextTokens: 0 };
const GUIDE = { id: 'guide.md', text: 'A disk. The disk is full.', headingPath: ['Guide'] };
const SHIPS = { id: 'ship.md', text: 'Ships have no mount.', headingPath: ['Ships'] };
const ranking = aRanking({
  part: { text: 'disk full' },
  terms: ['disk', 'full'],
  documentFrequency: { disk: 2, full: 1 },
  candidates: [aCandidate({ section: GUIDE, lexical: 8 }), aCandidate({ section: SHIPS, lexical: 2 })],
});

describe('readRanking', () => {
  it('reads every section with its score as a share of the best', () => {
    expect(readRanking(ranking).sections).toMatchObject([
      { id: 'guide.md', share: 1, units: [{ start: 0 }, { start: 8 }] },
      { id: 'ship.md', share: 0.25, units: [{ start: 0 }] },
    ]);
  });

  it('reads sections with score 0', () => {
    const worthless = aRanking({ candidates: [aCandidate({ section: GUIDE, lexical: 0 })] });
    expect(readRanking(worthless).sections).toMatchObject([{ share: 0 }]);
  });

  it('reads nothing without results', () => {
    expect(readRanking(aRanking({ candidates: [] })).sections).toEqual([]);
  });
});

describe('readTexts', () => {
  const readGuide = (headingPath: readonly string[], text: string) =>
    readTexts(ranking, [withStructure({ id: 'a.md', text, headingPath, share: 1 })]);

  it('has more confidence in texts with the words of the question', () => {
    const { confidence } = readGuide(['Guide'], 'Ships have no mount.');
    expect(readGuide(['Guide'], 'A disk.').confidence).toBeGreaterThan(confidence);
  });

  it('has the same confidence if the words are in the headings above', () => {
    const { confidence } = readGuide(['Guide'], 'The disk is full.');
    expect(readGuide(['Full disks'], 'Use it.').confidence).toBe(confidence);
  });
});

describe('chooseEvidence', () => {
  const choose = (reranker: 'coverage' | 'none', options: Partial<QuoteOptions> = {}) =>
    chooseEvidence([readRanking(ranking)], { ...OPTIONS, ...options }, reranker).whole;

  it.each([['coverage'], ['none']] as const)(
    'returns the best quote first, as a slice of its text, with method %s',
    (reranker) => {
      expect(choose(reranker)[0]).toMatchObject({
        textId: 'guide.md',
        quote: 'The disk is full.',
        start: 8,
        end: 25,
        confidence: expect.any(Number),
      });
    },
  );

  it('by coverage, chooses nothing from sections without a word of the question', () => {
    expect(choose('coverage').map(({ textId }) => textId)).toEqual(['guide.md', 'guide.md']);
  });

  it('by overlap, chooses spans without a word of the question too', () => {
    expect(choose('none').map(({ quote, confidence }) => [quote, confidence])).toEqual([
      ['The disk is full.', 1],
      ['A disk.', 0.5],
      ['Ships have no mount.', 0],
    ]);
  });

  it('recognises other forms of a word only by coverage', () => {
    const other = aRanking({
      part: { text: 'mounting' },
      terms: ['mount'],
      documentFrequency: { mount: 1 },
      candidates: [aCandidate({ section: SHIPS })],
    });
    expect(chooseEvidence([readRanking(other)], OPTIONS, 'coverage').whole).toHaveLength(1);
    expect(chooseEvidence([readRanking(other)], OPTIONS, 'none').whole).toMatchObject([{ confidence: 0 }]);
  });

  it('by coverage, adds no context if none is requested', () => {
    const one = { maxQuotes: 1 };
    expect(choose('coverage', one)).toMatchObject([{ quote: 'The disk is full.' }]);
    expect(choose('coverage', { ...one, contextTokens: 20 })).toMatchObject([
      { quote: 'A disk. The disk is full.' },
    ]);
  });

  it.each([['coverage'], ['none']] as const)('returns at most maxQuotes with method %s', (reranker) => {
    expect(choose(reranker, { maxQuotes: 1 })).toHaveLength(1);
  });

  it.each([['coverage'], ['none']] as const)('returns no quotes without results: %s', (reranker) => {
    const nothing = readRanking(aRanking({ candidates: [] }));
    expect(chooseEvidence([nothing, nothing], OPTIONS, reranker).whole).toEqual([]);
    expect(chooseEvidence([], OPTIONS, reranker).whole).toEqual([]);
  });
});

describe('chooseEvidence, within a budget', () => {
  const filler = 'Nothing of interest is written here, and it goes on for a while. '.repeat(4);
  const read = (question: string, paths: readonly string[]) =>
    readRanking(
      aRanking({
        part: { question, text: question },
        terms: ['disk', 'full'],
        documentFrequency: { disk: 2, full: 2 },
        candidates: paths.map((id, i) =>
          aCandidate({ section: { id, text: `The disk is full in ${id}. ${filler}` }, score: 1 - 0.2 * i }),
        ),
      }),
    );
  it('chooses for a smaller reply like for a smaller budget, from the sections of most confidence', () => {
    const parts = [read('When is a disk full?', ['a.md', 'b.md', 'c.md'])];
    const { choose, whole } = chooseEvidence(parts, { budgetTokens: 400 }, 'coverage');
    const smaller = choose({ count: 2, maxChars: 500, reason: 'byte_cap' });
    expect(whole.map(({ textId }) => textId)).toEqual(['a.md', 'b.md', 'c.md']);
    expect(smaller).toEqual(chooseEvidence(parts, { budgetTokens: 50 }, 'coverage').whole);
    expect(smaller.map(({ textId }) => textId)).toEqual(['a.md', 'b.md']);
  });

  it('estimates the chance that the quotes have the answer, which falls with the budget', () => {
    const parts = [read('When is a disk full?', ['a.md', 'b.md', 'c.md'])];
    const quotedWithin = (budgetTokens: number): number =>
      chooseEvidence(parts, { budgetTokens }, 'coverage').quoted[0] ?? -1;
    expect(quotedWithin(2_000)).toBeGreaterThan(0.8);
    expect(quotedWithin(2_000)).toBeLessThanOrEqual(1);
    expect(quotedWithin(30)).toBeLessThan(0.6);
    expect(chooseEvidence(parts, OPTIONS, 'coverage').quoted).toEqual([]);
  });
});
