import { type BudgetPart, chanceNearby, weighGains } from '../../../../src/kb/evidence/choose-by-budget.js';
import { answerScores } from '../../../../src/kb/evidence/score-answers.js';
import { spanKey } from '../../../../src/kb/evidence/score-units.js';
import type { ReadSection, ReadUnit } from '../../../../src/kb/evidence/sections/read-section.js';
import { aUnit } from '../../../support/builders.js';

const NONE: ReadonlyMap<string, number> = new Map();

interface Given {
  readonly text: string;
  /** How much of the question it covers, together with the headings. */
  readonly covers?: number;
  readonly isSeen?: boolean;
  readonly words?: readonly string[];
}

/** A section of some units, one on each line. */
function aSection(id: string, given: readonly Given[], more: Partial<ReadSection> = {}): ReadSection {
  let end = -1;
  const units = given.map(({ text, covers = 0, isSeen, words = [] }): ReadUnit => {
    const start = end + 1;
    end = start + text.length;
    return {
      ...aUnit({ start, end }),
      ...{ coverage: 0, strength: 0 },
      coverageWithHeadings: covers,
      counts: new Map(words.map((word) => [word, 1])),
      ...(isSeen === undefined ? {} : { isSeen }),
    };
  });
  const text = given.map((each) => each.text).join('\n');
  return { id, text, units, share: 0, isBelowTitle: true, headingTerms: new Set(['quay']), ...more };
}

const aPart = (sections: readonly ReadSection[], more: Partial<BudgetPart> = {}): BudgetPart => ({
  question: 'quay',
  weights: { weightOf: NONE, total: 0 },
  sections,
  confidence: 1,
  ...more,
});

/** A line of 40 characters or more, unlike the others. */
const line = (i: number): string => `The keeper writes down ship number ${i} of the day`;
const all = (values: readonly (readonly number[])[]): number[] => values.flat();
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);

const TWO = [
  aSection('a', [{ text: line(1), covers: 0.9 }, { text: line(2) }, { text: line(3), covers: 0.3 }], {
    share: 0.8,
  }),
  aSection(
    'b',
    [
      { text: line(4), covers: 0.5 },
      { text: line(5), covers: 0.1 },
    ],
    { share: 0.3 },
  ),
];

describe('weighGains', () => {
  it('takes a gain as the chance of an answer in a unit, or else near a match of its section', () => {
    const part = aPart(TWO);
    const scores = TWO.map(answerScores(part));
    const best = Math.max(...all(scores));
    const weights = scores.map((ofUnits) => ofUnits.map((score) => Math.exp(8 * (score - best))));
    const ofSections = TWO.map(({ share }) => Math.exp(4 * share));
    const expected = TWO.map(({ units }, i) => {
      const chance = (ofSections[i] ?? 0) / sumOf(ofSections);
      const nearby = chanceNearby(units, (weights[i] ?? []).map(Math.sqrt));
      return (weights[i] ?? []).map(
        (weight, at) => (0.8 * weight) / sumOf(all(weights)) + 0.2 * chance * (nearby[at] ?? 0),
      );
    });
    const found = weighGains([part]).map(({ gains }) => gains[0] ?? []);
    expect(all(found).map((gain) => gain.toFixed(12))).toEqual(all(expected).map((gain) => gain.toFixed(12)));
    expect(sumOf(all(found))).toBeCloseTo(1, 10);
  });

  it('takes the confidence of a unit from its score relative to the best, and from that of the part', () => {
    const part = aPart(TWO, { confidence: 0.5 });
    const scores = all(TWO.map(answerScores(part)));
    const best = Math.max(...scores);
    const found = all(weighGains([part]).map(({ confidences }) => confidences));
    expect(found.map((each) => each.toFixed(12))).toEqual(
      scores.map((score) => (0.5 * Math.max(0, score / best)).toFixed(12)),
    );
    expect(Math.max(...found)).toBe(0.5);
  });

  it('has no confidence below 0, and none if no unit has a score above 0', () => {
    const [short] = weighGains([aPart([aSection('a', [{ text: line(1), covers: 1 }, { text: 'short' }])])]);
    expect(short?.confidences).toEqual([1, 0]);
    const [none] = weighGains([aPart([aSection('a', [{ text: 'short' }, { text: 'more' }])])]);
    expect(none?.confidences).toEqual([0, 0]);
    expect(sumOf(none?.gains[0] ?? [])).toBeCloseTo(1, 10);
  });

  it('adds a quarter of the score of the reranker', () => {
    const spanScores = new Map([[spanKey('b', 1), 0.8]]);
    const given = TWO.map((section) => ({ ...section, share: 0 }));
    const part = aPart(given);
    const [plain] = weighGains([part]).slice(1);
    const [first, second] = weighGains([{ ...part, spanScores }]);
    const scores = given.map(answerScores(part));
    const best = Math.max(...all(scores));
    expect(second?.confidences[0]).toBe(plain?.confidences[0]);
    expect(second?.confidences[1]).toBeCloseTo(((scores[1]?.[1] ?? NaN) + 0.2) / best, 10);
    expect(first?.confidences[0]).toBe(1);
  });

  it('gives nothing to a text of 40 characters or more that repeats an earlier one', () => {
    const long = 'x'.repeat(40);
    const gains = weighGains([
      aPart([
        aSection('a', [{ text: long }, { text: 'short' }, { text: 'y'.repeat(39) }]),
        aSection('b', [{ text: long }, { text: 'short' }, { text: 'y'.repeat(39) }, { text: line(1) }]),
      ]),
    ]).map((each) => each.gains[0]?.map((gain) => gain > 0));
    expect(gains).toEqual([
      [true, true, true],
      [false, true, true, true],
    ]);
  });

  it('keeps the first copy of a text for all parts of a question', () => {
    const sections = [aSection('a', [{ text: line(1) }]), aSection('b', [{ text: line(1) }])];
    const [first, copy] = weighGains([aPart(sections), aPart(sections.toReversed())]);
    expect(first?.gains).toEqual([[expect.any(Number)], [expect.any(Number)]]);
    expect([first?.gains.map(([gain]) => gain !== 0), copy?.gains]).toEqual([
      [true, true],
      [[0], [0]],
    ]);
  });

  it('gives nothing to what was shown before, however short it is', () => {
    const [found] = weighGains([
      aPart([
        aSection('a', [{ text: line(1), isSeen: true }, { text: 'short', isSeen: true }, { text: line(2) }]),
      ]),
    ]);
    expect(found?.gains[0]?.map((gain) => gain > 0)).toEqual([false, false, true]);
  });

  it('does not count a text that was shown before as the first copy', () => {
    const gains = weighGains([
      aPart([aSection('a', [{ text: line(1), isSeen: true }]), aSection('b', [{ text: line(1) }])]),
    ]).map((each) => each.gains[0]?.[0]);
    expect([gains[0], (gains[1] ?? 0) > 0]).toEqual([0, true]);
  });

  it('leaves out sections without a word of the question that no vector found', () => {
    const headless = { headingTerms: new Set<string>() };
    const units = [{ text: line(1) }, { text: line(2) }];
    const ids = weighGains([
      aPart([
        aSection('none', units, headless),
        aSection('recalled', units, { ...headless, isRecalled: true }),
        aSection('not recalled', units, { ...headless, isRecalled: false }),
        aSection('heading', units),
        aSection('word', [{ text: line(1) }, { text: line(2), words: ['quay'] }], headless),
      ]),
    ]).map(({ section }) => section.id);
    expect(ids).toEqual(['recalled', 'heading', 'word']);
  });

  it('returns each section once, with gains for each part and the highest confidence', () => {
    const [shared, other] = [aSection('a', [{ text: line(1) }]), aSection('b', [{ text: line(2) }])];
    const parts = [
      aPart([shared], { confidence: 0.4 }),
      aPart([other, { ...shared, headingTerms: new Set() }], { confidence: 0.9 }),
    ];
    const covered = parts.map((part) => ({
      ...part,
      sections: part.sections.map((section) => ({
        ...section,
        units: section.units.map((unit) => ({ ...unit, coverageWithHeadings: 1 })),
      })),
    }));
    expect(
      weighGains(covered).map(({ section, gains, confidences }) => [section.id, gains, confidences]),
    ).toEqual([
      ['a', [[1], [0]], [0.4]],
      ['b', [[0], [1]], [0.9]],
    ]);
  });
});
