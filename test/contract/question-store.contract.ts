import { MAX_QUESTIONS, scopeKey } from '../../src/work/questions/question.js';
import { QuestionStore } from '../../src/work/questions/question-store.js';
import { aGap, aNewQuestion, aProfile, aQuestion } from '../support/a-question.js';
import { aScope } from '../support/builders.js';
import type { MakeWork, WorkSubject } from '../support/work-subjects.js';

const HERE = aScope();
const OARS = aProfile({ terms: { oar: 2 }, near: [['oars.md', 'b', 1]] });
const HALF_AN_HOUR = 1_800_000;

/** The behaviour of the store of questions on every database. */
export const questionStoreContract = (make: MakeWork): void =>
  describe('QuestionStore', () => {
    let subject: WorkSubject;
    let store: QuestionStore;
    beforeEach(async () => {
      subject = await make();
      store = new QuestionStore(subject.open());
    });
    afterEach(() => subject.remove());
    const ask = (...questions: Parameters<typeof aNewQuestion>[0][]) =>
      store.record({ questions: questions.map((parts) => aNewQuestion(parts)), readings: [] });
    const readOn = (parts: object = {}) =>
      store.record({
        questions: [],
        readings: [{ space: HERE, conversation: 'c1', at: 2_000, handles: ['passage-1'], ...parts }],
      });
    const list = () => store.list(HERE);
    const roots = async () => (await list()).map(({ id, root }) => [id, root]);

    it('returns what it stored, to every process', async () => {
      const text = 'Wie geht „Reffen“? 😀';
      await ask({ text, keywords: ['Ä'], confidence: 0.1234 });
      const scope = JSON.parse(scopeKey(HERE));
      const other = new QuestionStore(subject.open());
      expect(await other.list(HERE)).toEqual([
        aQuestion({ text, keywords: ['Ä'], confidence: 0.1234, scope }),
      ]);
      expect(await other.profiles(['q1', 'unknown'])).toEqual(new Map([['q1', aProfile()]]));
    });

    it('stores a question once', async () => {
      await ask({}, {});
      await ask({ text: 'Another text?' });
      expect(await list()).toMatchObject([{ text: aNewQuestion().text }]);
    });

    it('shows nothing of another project or environment', async () => {
      await ask({});
      expect(await store.list(aScope({ projectId: 'other' }))).toEqual([]);
      expect(await store.list(aScope({ environment: 'test' }))).toEqual([]);
    });

    it('knows that a question asks an earlier one of its conversation again', async () => {
      await ask({ id: 'a' }, { id: 'b', askedAt: 2_000 }, { id: 'c', askedAt: 3_000 });
      expect(await roots()).toEqual([
        ['a', 'a'],
        ['b', 'a'],
        ['c', 'a'],
      ]);
    });

    it.each([
      ['about another subject', { profile: OARS }],
      ['of another conversation', { conversation: 'c2' }],
      ['of another scope', { scope: aScope({ docTags: ['guides'] }) }],
      ['half an hour later', { askedAt: 1_001 + HALF_AN_HOUR }],
    ])('takes a question %s for another one', async (_, parts) => {
      await ask({ id: 'a' }, { id: 'b', askedAt: 2_000, ...parts });
      expect((await store.list(HERE)).map(({ root }) => root)).toEqual(['a', 'b']);
    });

    it('notes that a section or passage of an answer was read on', async () => {
      await ask({ id: 'a', handles: ['x'] }, { id: 'b', askedAt: 1_500, profile: OARS });
      await readOn();
      expect((await list()).map(({ id, isReadOn }) => [id, isReadOn])).toEqual([
        ['a', false],
        ['b', true],
      ]);
    });

    it.each([
      ['another conversation', { conversation: 'c2' }],
      ['other sections', { handles: ['other'] }],
      ['half an hour later', { at: 1_001 + HALF_AN_HOUR }],
      ['another project', { space: aScope({ projectId: 'other' }) }],
    ])('does not take reading in %s for it', async (_, parts) => {
      await ask({});
      await readOn(parts);
      expect(await list()).toMatchObject([{ isReadOn: false }]);
    });

    it('keeps what the caller says last', async () => {
      await ask({});
      const say = { questionId: 'q1', principal: 'ann', missing: 'Reef 3' } as const;
      expect(await store.say(HERE, { ...say, answered: 'no' })).toBe(true);
      expect(await store.say(HERE, { ...say, answered: 'partly' })).toBe(true);
      expect(await list()).toMatchObject([{ answered: 'partly', missing: 'Reef 3' }]);
    });

    it('accepts it from nobody else, and for no other project', async () => {
      await ask({});
      const say = { questionId: 'q1', answered: 'no', missing: '' } as const;
      expect(await store.say(HERE, { ...say, principal: 'bob' })).toBe(false);
      expect(await store.say(aScope({ projectId: 'x' }), { ...say, principal: 'ann' })).toBe(false);
      expect(await store.say(HERE, { ...say, questionId: 'q2', principal: 'ann' })).toBe(false);
      expect(await list()).toMatchObject([{ answered: null }]);
    });

    it('keeps the gap of a question, the first one', async () => {
      await ask({});
      const gap = aGap();
      await store.place([gap], [{ questionId: 'q1', gapId: 'q1' }]);
      await store.place([aGap({ state: 'answered' })], [{ questionId: 'q1', gapId: 'other' }]);
      expect(await store.gaps(HERE)).toEqual([{ ...gap, scope: JSON.parse(scopeKey(HERE)) }]);
      expect(await list()).toMatchObject([{ gap: 'q1' }]);
    });

    it('changes a gap that is still as it was read', async () => {
      const answer = { sectionId: 'a.md', path: 'a.md', title: 'A', quote: 'Ä “quote”.' };
      await store.place([aGap()], []);
      const after = { state: 'answered', changedAt: 5, generation: 'g2', answer } as const;
      expect(await store.change(aGap(), after)).toBe(true);
      expect(await store.change(aGap(), { state: 'open' })).toBe(false);
      expect(await store.gaps(HERE)).toMatchObject([after]);
    });

    it('does not change a gap that has got a claim meanwhile', async () => {
      await store.place([aGap()], []);
      expect(await store.change(aGap(), { claimId: 'c1' })).toBe(true);
      expect(await store.change(aGap(), { claimId: 'c2' })).toBe(false);
      expect(await store.change(aGap(), { generation: 'g2' })).toBe(false);
      expect(await store.gaps(HERE)).toMatchObject([{ claimId: 'c1', generation: 'g1' }]);
    });

    it('removes what is older than a time, and gaps that have nothing left', async () => {
      await ask({ id: 'a', askedAt: 1 }, { id: 'b', askedAt: 2, profile: OARS });
      const placements = [
        { questionId: 'a', gapId: 'a' },
        { questionId: 'b', gapId: 'b' },
      ];
      await store.place([aGap({ id: 'a' }), aGap({ id: 'b' })], placements);
      await store.purge(HERE, 2);
      expect(await list()).toMatchObject([{ id: 'b' }]);
      expect(await store.gaps(HERE)).toMatchObject([{ id: 'b' }]);
    });

    it('lists every question once, also many of one time', async () => {
      await subject.sql(MANY, { count: 2_500 });
      await subject.sql('UPDATE question SET asked_at = 7 WHERE asked_at > 100');
      const ids = (await list()).map(({ id }) => id);
      expect([ids.length, new Set(ids).size]).toEqual([2_500, 2_500]);
    });

    it('gives the summary of a week to one process, in each space', async () => {
      const other = new QuestionStore(subject.open());
      const taken = await Promise.all([store, other].map((one) => one.takeWeek(HERE, '2026-11-23')));
      expect(taken.sort()).toEqual([false, true]);
      expect(await store.takeWeek({ ...HERE, projectId: 'another' }, '2026-11-23')).toBe(true);
      expect(await other.takeWeek(HERE, '2026-11-30')).toBe(true);
      expect(await store.takeWeek(HERE, '2026-11-23')).toBe(false);
      // Only the week that was taken last is given back.
      await other.returnWeek(HERE, '2026-11-23', '2026-11-16');
      expect(await store.takeWeek(HERE, '2026-11-30')).toBe(false);
      await other.returnWeek(HERE, '2026-11-30', '2026-11-23');
      expect(await store.takeWeek(HERE, '2026-11-23')).toBe(false);
      expect(await store.takeWeek(HERE, '2026-11-30')).toBe(true);
    });

    it('keeps the newest questions only', async () => {
      await subject.sql(MANY, { count: MAX_QUESTIONS });
      await ask({ id: 'newest', askedAt: 1_000_000 });
      const kept = await list();
      expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([MAX_QUESTIONS, 'row-2', 'newest']);
    });
  });

const MANY = `WITH RECURSIVE counter (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < :count)
  INSERT INTO question (id, project, environment, scope, principal, agent, conversation, asked_at, question, keywords,
    verdict, confidence, quoted, handles, generation, profile, nearest_id, nearest_title, root, read_on, answered, missing, gap)
  SELECT 'row-' || n, '${HERE.projectId}', '${HERE.environment}', '{}', '', '', '', n, '', '[]', 'likely', 0, '[]', '[]', '',
    '{}', '', '', 'row-' || n, 0, '', '', '' FROM counter`;
