import {
  collectNeeds,
  findUnanswered,
  isUnanswered,
  type KeptQuestion,
  questionLikeness,
  scopeKey,
} from '../../../../src/work/questions/question.js';
import { aProfile, aQuestion } from '../../../support/a-question.js';
import { aScope } from '../../../support/builders.js';

const need = (...asks: readonly Partial<KeptQuestion>[]) => {
  const questions = asks.map((parts, i) => aQuestion({ text: `How ${i}?`, ...parts }));
  const [root = aQuestion()] = questions;
  return { root, asks: questions };
};

const LIKELY = { verdict: 'likely' } as const;
const SAME = { text: 'How?', keywords: ['a'], ...LIKELY };

describe('isUnanswered', () => {
  it.each([
    ['an unsure answer', true, need({ verdict: 'unsure', confidence: 0.69 })],
    ['a likely answer', false, need({ confidence: 0.73, ...LIKELY })],
    ['a likely answer that was read on', true, need({ confidence: 0.73, ...LIKELY, isReadOn: true })],
    ['a surer answer that was read on', false, need({ confidence: 0.76, ...LIKELY, isReadOn: true })],
    ['a second answer that is likely', true, need(LIKELY, { confidence: 0.79, ...LIKELY })],
    [
      'a likely answer that was loaded again',
      false,
      need(...[1, 2].map(() => ({ ...SAME, confidence: 0.79 }))),
    ],
    [
      'a likely answer to other keywords',
      true,
      need({ ...SAME }, { ...SAME, keywords: ['b'], confidence: 0.79 }),
    ],
    ['a second answer that is sure', false, need({}, { confidence: 0.81, ...LIKELY })],
    ['a sure answer that did not help', true, need({ confidence: 1, ...LIKELY, answered: 'no' })],
    ['a sure answer that helped in part', true, need({ confidence: 1, ...LIKELY, answered: 'partly' })],
    ['an unlikely answer that helped', false, need({ verdict: 'unlikely', answered: 'yes', isReadOn: true })],
    ['a second answer that helped', false, need({ answered: 'no' }, { confidence: 0.71, answered: 'yes' })],
  ])('tells of %s: %s', (_, expected, given) => {
    expect(isUnanswered(given)).toBe(expected);
  });
});

describe('findUnanswered', () => {
  const [missed, silent, helped] = [
    need({ id: 'missed', confidence: 0.9, ...LIKELY, answered: 'no' }),
    need({ id: 'silent', confidence: 0.75, ...LIKELY }),
    need({ id: 'helped', confidence: 0.75, ...LIKELY, answered: 'yes' }),
  ];

  it('counts callers who said nothing if others were not helped', () => {
    expect(findUnanswered([missed, silent])).toEqual([missed, silent]);
  });

  it('does not count them if others were helped', () => {
    expect(findUnanswered([missed, silent, helped])).toEqual([missed]);
  });

  it('counts a caller who was helped if more were not', () => {
    expect(findUnanswered([missed, helped])).toEqual([missed]);
    expect(findUnanswered([missed, missed, helped])).toEqual([missed, missed, helped]);
  });

  it('takes silence after likely answers for a sign that they helped', () => {
    const unsure = need({ id: 'unsure', verdict: 'unsure', confidence: 0.66 });
    expect(findUnanswered([unsure])).toEqual([unsure]);
    expect(findUnanswered([unsure, silent])).toEqual([]);
  });

  it('counts nothing where everybody was silent', () => {
    expect(findUnanswered([silent])).toEqual([]);
  });
});

describe('collectNeeds', () => {
  it('puts questions with one root together, in the order of asking', () => {
    const [first, other, again] = [
      aQuestion({ id: 'a' }),
      aQuestion({ id: 'b' }),
      aQuestion({ id: 'c', root: 'a' }),
    ];
    expect(collectNeeds([first, other, again])).toEqual([
      { root: first, asks: [first, again] },
      { root: other, asks: [other] },
    ]);
  });
});

describe('questionLikeness', () => {
  it('is 1 for the same words and sections, and 0 for others', () => {
    expect(questionLikeness(aProfile(), aProfile())).toBeCloseTo(1);
    expect(questionLikeness(aProfile(), aProfile({ terms: { oar: 2 }, near: [['oars.md', 'b', 1]] }))).toBe(
      0,
    );
  });

  it('compares words that objects have as names', () => {
    const asked = aProfile({ terms: { constructor: 2, tostring: 1 } });
    expect(questionLikeness(asked, aProfile())).toBeCloseTo(0.5);
    expect(questionLikeness(asked, asked)).toBeCloseTo(1);
  });

  it('is 0 for questions without words and sections', () => {
    const empty = { terms: {}, near: [] };
    expect(questionLikeness(empty, empty)).toBe(0);
  });

  it.each(['constructor', 'toString', '__proto__'])('takes %s for a word', (term) => {
    const of = (word: string) => aProfile({ terms: Object.fromEntries([[word, 2]]), near: [] });
    expect(questionLikeness(of(term), of('oar'))).toBe(0);
    expect(questionLikeness(of(term), of(term))).toBeCloseTo(1);
  });

  it('is the similarity of words if nothing was near', () => {
    const far = aProfile({ near: [] });
    expect(questionLikeness(far, aProfile({ near: [] }))).toBeCloseTo(1);
    expect(questionLikeness(far, aProfile())).toBeCloseTo(0.5);
  });

  it('is the mean of the similarity of words and that of sections', () => {
    expect(questionLikeness(aProfile(), aProfile({ near: [['oars.md', 'b', 1]] }))).toBeCloseTo(0.5);
  });
});

describe('scopeKey', () => {
  it('is equal for lists in another order', () => {
    const [a, b] = [aScope({ docTags: ['a', 'b'] }), aScope({ docTags: ['b', 'a'] })];
    expect(scopeKey(a)).toBe(scopeKey(b));
  });

  it.each([
    ['tags', { docTags: ['a'] }],
    ['repositories', { repositories: ['a'] }],
    ['groups', { groups: ['a'] }],
    ['environment', { environment: 'test' }],
  ])('differs for other %s', (_, parts) => {
    expect(scopeKey(aScope(parts))).not.toBe(scopeKey(aScope()));
  });

  it('tells callers with all groups from callers without one', () => {
    expect(scopeKey(aScope({ groups: null }))).not.toBe(scopeKey(aScope({ groups: [] })));
  });
});
