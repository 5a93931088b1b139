import type { KeptQuestion } from '../../../../src/work/questions/question.js';
import { askedWords, readNeeds, usageFacts, wordsLike } from '../../../../src/work/questions/usage.js';
import { aQuestion } from '../../../support/a-question.js';

const DAY = 86_400_000;
const LIKELY = { verdict: 'likely', confidence: 0.9 } as const;
const asking = (...questions: readonly Partial<KeptQuestion>[]) =>
  readNeeds(questions.map((parts, i) => aQuestion({ id: `q${i}`, ...parts })));

describe('readNeeds', () => {
  it('counts what the lists of gaps show as not answered', () => {
    const needs = asking(
      { gap: 'q0', answered: 'no' },
      { gap: 'q0', ...LIKELY, confidence: 0.72 },
      { gap: 'q0', ...LIKELY },
      LIKELY,
      {},
    );
    expect(needs.map(({ isAnswered }) => isAnswered)).toEqual([false, false, true, true, false]);
  });
});

describe('usageFacts', () => {
  it('has the answer rate of each week, from Monday', () => {
    const needs = asking(
      { askedAt: 3 * DAY },
      { askedAt: 4 * DAY, ...LIKELY },
      { askedAt: 10 * DAY },
      { askedAt: 11 * DAY, ...LIKELY },
    );
    expect(usageFacts(needs)).toMatchObject({
      ...{ asked: 4, answered: 2 },
      weeks: [
        { week: '1969-12-29', asked: 1, answered: 0 },
        { week: '1970-01-05', asked: 2, answered: 1 },
        { week: '1970-01-12', asked: 1, answered: 1 },
      ],
    });
  });

  it('lists the most asked question first, however it is written', () => {
    const needs = asking({ text: 'Oars?' }, { text: 'How to reef?' }, { text: 'how to REEF', ...LIKELY });
    expect(usageFacts(needs).most_asked).toEqual([
      { question: 'how to REEF', asked: 2, answered: 1 },
      { question: 'Oars?', asked: 1, answered: 0 },
    ]);
  });

  it('lists the pages of answers, each once for a question', () => {
    const quoted = ['a%20b.md#one', 'a%20b.md#two', 'c.md'];
    const needs = asking({ ...LIKELY, quoted }, { ...LIKELY, quoted: ['c.md'] }, { quoted: ['d.md'] });
    expect(usageFacts(needs).pages).toEqual([
      { path: 'c.md', answered: 2 },
      { path: 'a b.md', answered: 1 },
    ]);
  });
});

describe('askedWords', () => {
  it('lists words of two questions, without common words, names of code, and what was replaced', () => {
    const text = 'How do I hoist the [secret] with max_retries?';
    expect(askedWords(asking({ text }, { text: `${text} Jib.` })).map(({ word }) => word)).toEqual(['hoist']);
    expect(askedWords(asking({ text }))).toEqual([]);
  });
});

describe('wordsLike', () => {
  it('finds the words that stand beside a word, and seldom beside others', () => {
    const all = asking(
      { text: 'Where is the loo?', keywords: ['heads', 'boat'], nearestTitle: '' },
      { text: 'May I use the loo?', keywords: ['heads', 'boat'], nearestTitle: '' },
      { text: 'Which sail?', keywords: ['boat'], nearestTitle: '' },
      { text: 'Which oar?', keywords: ['boat'], nearestTitle: '' },
    );
    const [loo] = askedWords(all).filter(({ word }) => word === 'loo');
    expect(loo && wordsLike(loo, all).map(({ word }) => word)).toEqual(['heads']);
  });
});
