import {
  gapFacts,
  placeQuestions,
  viewGaps,
  type WaitingQuestion,
} from '../../../../src/work/questions/gap.js';
import type { KeptQuestion } from '../../../../src/work/questions/question.js';
import { aGap, aProfile, aQuestion } from '../../../support/a-question.js';
import { aScope } from '../../../support/builders.js';

const OARS = aProfile({ terms: { oar: 2 }, near: [['oars.md', 'b', 1]] });
const waiting = (id: string, parts: Partial<WaitingQuestion> = {}): WaitingQuestion => ({
  question: aQuestion({ id }),
  profile: aProfile(),
  isUnanswered: true,
  ...parts,
});
const placed = (questionId: string, gapId: string) => ({ questionId, gapId });

describe('placeQuestions', () => {
  it('puts questions about one subject into one group, named by the first', () => {
    const { added, placements } = placeQuestions([waiting('a'), waiting('b')], []);
    expect(added.map(({ id }) => id)).toEqual(['a']);
    expect(placements).toEqual([placed('a', 'a'), placed('b', 'a')]);
  });

  it('makes another group of another subject', () => {
    const { added } = placeQuestions([waiting('a'), waiting('b', { profile: OARS })], []);
    expect(added.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('adds to a group that exists', () => {
    const { added, placements } = placeQuestions([waiting('b')], [{ ...aGap(), profiles: [aProfile()] }]);
    expect(added).toEqual([]);
    expect(placements).toEqual([placed('b', 'q1')]);
  });

  it('never puts questions of two scopes into one group', () => {
    const elsewhere = aQuestion({ id: 'b', scope: aScope({ groups: ['staff'] }) });
    const { added } = placeQuestions([waiting('a'), waiting('b', { question: elsewhere })], []);
    expect(added.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('puts a question that may have been answered into a group, but makes none of it', () => {
    const silent = { isUnanswered: false };
    expect(placeQuestions([waiting('a', silent)], []).added).toEqual([]);
    const { placements } = placeQuestions([waiting('a', silent), waiting('b')], []);
    expect(placements).toEqual([placed('b', 'b'), placed('a', 'b')]);
  });
});

describe('viewGaps', () => {
  it('lists the most asked group first, and only what was not answered', () => {
    const questions = [
      aQuestion({ id: 'a', gap: 'a' }),
      aQuestion({ id: 'b', gap: 'b' }),
      aQuestion({ id: 'c', gap: 'b' }),
      aQuestion({ id: 'd', gap: 'b', answered: 'yes' }),
    ];
    const views = viewGaps([aGap({ id: 'a' }), aGap({ id: 'b' })], questions);
    expect(views.map(({ gap, needs }) => [gap.id, needs.map(({ root }) => root.id)])).toEqual([
      ['b', ['b', 'c']],
      ['a', ['a']],
    ]);
  });

  it('leaves out groups whose questions were answered after all', () => {
    expect(viewGaps([aGap({ id: 'a' })], [aQuestion({ id: 'a', gap: 'a', answered: 'yes' })])).toEqual([]);
  });
});

describe('gapFacts', () => {
  const view = (...asks: readonly Partial<KeptQuestion>[]) => ({
    gap: aGap(),
    needs: asks.map((parts) => aQuestion(parts)).map((root) => ({ root, asks: [root] })),
  });

  it('has how often and since when it was asked, with examples', () => {
    expect(
      gapFacts(view({ askedAt: 0, text: 'Reefs?' }, { id: 'q2', askedAt: 86_400_000, text: 'How to reef?' })),
    ).toMatchObject({
      asked: 2,
      since: '1970-01-01T00:00:00.000Z',
      last_asked: '1970-01-02T00:00:00.000Z',
      examples: ['Reefs?', 'How to reef?'],
    });
  });

  it('says what callers missed, and where to add it', () => {
    const facts = gapFacts(view({ verdict: 'unsure', missing: 'The third reef.' }));
    expect(facts.add).toBe('Add to “Reefs > Take”: say “The third reef.”.');
  });

  it('says to write a page if nothing near was likely', () => {
    expect(gapFacts(view({ verdict: 'unlikely', text: 'Oars?' })).add).toBe(
      'Write a page or section: answer “Oars?”.',
    );
  });
});
