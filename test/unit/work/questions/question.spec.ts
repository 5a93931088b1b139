import {
  collectNeeds,
  findUnanswered,
  type KeptQuestion,
  questionLikeness,
  readStanding,
  scopeKey,
} from '../../../../src/work/questions/question.js';
import { aProfile, aQuestion } from '../../../support/a-question.js';
import { aScope } from '../../../support/builders.js';

const need = (...asks: readonly Partial<KeptQuestion>[]) => {
  const questions = asks.map((parts) => aQuestion(parts));
  const [root = aQuestion()] = questions;
  return { root, asks: questions };
};

const LIKELY = { verdict: 'likely' } as const;

describe('readStanding', () => {
  it.each([
    ['an unlikely answer', need({ verdict: 'unlikely', confidence: 0.9 }), 'unanswered'],
    ['an unsure answer', need({ verdict: 'unsure', confidence: 0.69 }), 'unanswered'],
    ['a sure answer', need({ confidence: 0.73, ...LIKELY }), 'unsaid'],
    ['a sure answer that was read on', need({ confidence: 0.73, ...LIKELY, isReadOn: true }), 'unsaid'],
    ['a second answer that is not surer', need(LIKELY, { confidence: 0.79, ...LIKELY }), 'unanswered'],
    ['a second answer that is surer', need({}, { confidence: 0.8, ...LIKELY }), 'unsaid'],
    ['a sure answer that did not help', need({ confidence: 0.9, ...LIKELY, answered: 'no' }), 'unanswered'],
    [
      'a sure answer that helped in part',
      need({ confidence: 0.9, ...LIKELY, answered: 'partly' }),
      'unanswered',
    ],
    ['an unlikely answer that helped', need({ verdict: 'unlikely', answered: 'yes' }), 'answered'],
    ['a second answer that helped', need({ answered: 'no' }, { answered: 'yes' }), 'answered'],
  ])('reads %s', (_, given, standing) => {
    expect(readStanding(given)).toBe(standing);
  });
});

describe('findUnanswered', () => {
  const [missed, silent, helped] = [
    need({ id: 'missed' }),
    need({ id: 'silent', confidence: 0.9, ...LIKELY }),
    need({ id: 'helped', answered: 'yes' }),
  ];

  it('counts callers who said nothing if more were not helped than helped', () => {
    expect(findUnanswered([missed, silent])).toEqual([missed, silent]);
  });

  it('does not count them if as many were helped', () => {
    expect(findUnanswered([missed, silent, helped])).toEqual([missed]);
  });

  it('never counts callers who were helped', () => {
    expect(findUnanswered([missed, missed, helped])).toEqual([missed, missed]);
  });

  it('counts nothing where nobody was missed', () => {
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
