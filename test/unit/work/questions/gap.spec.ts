import {
  gapFacts,
  placeQuestions,
  viewGaps,
  type WaitingQuestion,
  withoutHidden,
} from '../../../../src/work/questions/gap.js';
import { type KeptQuestion, questionLikeness } from '../../../../src/work/questions/question.js';
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
  it('puts questions about one subject into one gap, named by the first', async () => {
    const { added, placements } = await placeQuestions([waiting('a'), waiting('b')], []);
    expect(added.map(({ id }) => id)).toEqual(['a']);
    expect(placements).toEqual([placed('a', 'a'), placed('b', 'a')]);
  });

  it('makes another gap of another subject', async () => {
    const { added } = await placeQuestions([waiting('a'), waiting('b', { profile: OARS })], []);
    expect(added.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('adds to a gap that exists', async () => {
    const { added, placements } = await placeQuestions(
      [waiting('b')],
      [{ ...aGap(), profiles: [aProfile()] }],
    );
    expect(added).toEqual([]);
    expect(placements).toEqual([placed('b', 'q1')]);
  });

  it('never puts questions of two scopes into one gap', async () => {
    const elsewhere = aQuestion({ id: 'b', scope: aScope({ groups: ['staff'] }) });
    const { added } = await placeQuestions([waiting('a'), waiting('b', { question: elsewhere })], []);
    expect(added.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it('puts a question that may have been answered into a gap, but makes none of it', async () => {
    const silent = { isUnanswered: false };
    expect((await placeQuestions([waiting('a', silent)], [])).added).toEqual([]);
    const { placements } = await placeQuestions([waiting('a', silent), waiting('b')], []);
    expect(placements).toEqual([placed('b', 'b'), placed('a', 'b')]);
  });

  it('puts questions that found no section into one gap by their words', async () => {
    const far = { profile: aProfile({ near: [] }) };
    const other = { profile: aProfile({ terms: { oar: 2 }, near: [] }) };
    const asked = [waiting('a', far), waiting('b', far), waiting('c', other)];
    const { placements } = await placeQuestions(asked, []);
    expect(placements).toEqual([placed('a', 'a'), placed('b', 'a'), placed('c', 'c')]);
  });

  it('adds to the first of equal gaps, by id', async () => {
    const gaps = ['z', 'y', 'x'].map((id) => ({ ...aGap({ id }), profiles: [aProfile()] }));
    expect((await placeQuestions([waiting('a')], gaps)).placements).toEqual([placed('a', 'x')]);
  });

  describe('with 2,000 questions and 2,000 gaps about the same sections', () => {
    const numbers = Array.from({ length: 2_000 }, (_, i) => i);
    const about = (i: number) =>
      aProfile({
        terms: { [`word${i}`]: 1 },
        near: [
          ['all.md', 'a', 0.1],
          [`${i}.md`, 'b', 1],
        ],
      });
    const questions = numbers.map((i) => waiting(`q${i}`, { profile: about(i) }));
    const gaps = numbers.map((i) => ({ ...aGap({ id: `g${i}` }), profiles: [about(i)] }));

    it('compares a question with 50 gaps at most, and finds the nearest', async () => {
      let compared = 0;
      const counting = (...[a, b]: Parameters<typeof questionLikeness>) => {
        compared++;
        return questionLikeness(a, b);
      };
      const { placements } = await placeQuestions(questions, gaps, counting);
      expect(placements).toEqual(numbers.map((i) => placed(`q${i}`, `g${i}`)));
      // A gap that got a question has two profiles.
      expect(compared).toBeLessThanOrEqual(2 * 50 * 2_000);
    });

    it('lets other work go on', async () => {
      let turns = 0;
      let isPlaced = false;
      const work = () => {
        turns++;
        if (!isPlaced) setImmediate(work);
      };
      work();
      await placeQuestions(questions.slice(0, 200), gaps);
      isPlaced = true;
      expect(turns).toBeGreaterThanOrEqual(200 / 20);
    });
  });
});

describe('viewGaps', () => {
  it('lists the most asked gap first, and only what was not answered', () => {
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

  it('lists gaps of as many questions in the order in which they were first asked', () => {
    const questions = [
      aQuestion({ id: 'a', gap: 'a', askedAt: 2 }),
      aQuestion({ id: 'b', gap: 'b', askedAt: 1 }),
    ];
    const views = viewGaps([aGap({ id: 'a' }), aGap({ id: 'b' })], questions);
    expect(views.map(({ gap }) => gap.id)).toEqual(['b', 'a']);
  });

  it('leaves out gaps whose questions were answered after all', () => {
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

it('a group names neither an answer nor a nearest section of a hidden document', () => {
  const answer = { sectionId: 'pay.md#bands', path: 'pay.md', title: 'Bands', quote: 'Seven.' };
  const asked = aQuestion({ nearestId: 'pay.md', nearestTitle: 'Pay' });
  const view = { gap: aGap({ answer }), needs: [{ root: asked, asks: [asked] }] };
  expect(gapFacts(view)).toMatchObject({ nearest: { title: 'Pay' }, answer: { quote: 'Seven.' } });
  const bare = gapFacts(withoutHidden(view, new Set(['pay.md'])));
  expect(bare).toMatchObject({ nearest: null, answer: null });
  expect(JSON.stringify(bare)).not.toContain('Pay');
});
