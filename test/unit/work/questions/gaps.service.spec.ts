import { BackendUnavailableError } from '../../../../src/core/errors.js';
import type { SqlDatabase } from '../../../../src/sqlite/stores/sql-database.port.js';
import type { Gap, GapAnswer } from '../../../../src/work/questions/gap.js';
import { GapsService } from '../../../../src/work/questions/gaps.service.js';
import type { NewQuestion } from '../../../../src/work/questions/question.js';
import { textHash } from '../../../../src/work/questions/question-recorder.js';
import { QuestionStore } from '../../../../src/work/questions/question-store.js';
import { openWorkFile } from '../../../../src/work/work-databases.js';
import { aGap, aNewQuestion, answering, aProfile, type SecondAnswer } from '../../../support/a-question.js';
import { aCandidate, aScope, FixedIndex } from '../../../support/builders.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const SERVER = aScope({ groups: null });
const TEXT = 'A reef is taken in before the wind rises.';
const PAGE = aCandidate({ section: { id: 'new.md', text: TEXT }, document: { path: 'new.md' } });
const QUOTED: GapAnswer = { sectionId: 'new.md', path: 'new.md', title: 'new.md', quote: TEXT };
const QUOTE = { quotes: { 'new.md': TEXT } };
const OARS = aProfile({ terms: { oar: 2 }, near: [['oars.md', 'b', 1]] });

let folder: TestFolder;
let database: SqlDatabase;
let store: QuestionStore;
beforeEach(() => {
  folder = testFolder();
  database = openWorkFile(folder.file('w.sqlite'));
  store = new QuestionStore(database);
});
afterEach(async () => {
  await database.close();
  folder.remove();
});

interface Served {
  readonly generation?: string;
  readonly pages?: readonly ReturnType<typeof aCandidate>[];
  readonly answer?: (question: string) => SecondAnswer;
}

const serving = ({ generation = 'g1', pages = [PAGE], answer = () => ({}) }: Served = {}): GapsService =>
  new GapsService(store, answering(answer), new FixedIndex(pages, { generation }));

const record = (...questions: Partial<NewQuestion>[]) =>
  store.record({ questions: questions.map((parts) => aNewQuestion(parts)), readings: [] });

/** A gap of one question, as it was stored. */
async function haveGap(parts: Partial<Gap> = {}, question: Partial<NewQuestion> = {}): Promise<void> {
  const gap = aGap(parts);
  await record({ id: gap.id, scope: gap.scope, ...question });
  await store.place([gap], [{ questionId: gap.id, gapId: gap.id }]);
}

/** The gaps after an index run. */
async function afterRun(served: Served = {}): Promise<Gap[]> {
  await serving({ generation: 'g2', ...served }).refresh(SERVER, 9_000);
  return store.gaps(SERVER);
}

describe('new questions', () => {
  it('puts questions of one subject into an open gap, which is listed', async () => {
    await record(
      { id: 'a' },
      { id: 'b', conversation: 'c2' },
      { id: 'c', conversation: 'c3', profile: OARS },
    );
    const service = serving();
    await service.refresh(SERVER, 5_000);
    const views = await service.list(SERVER, null);
    expect(views.map(({ gap, needs }) => [gap.id, gap.state, needs.length])).toEqual([
      ['a', 'open', 2],
      ['c', 'open', 1],
    ]);
  });

  it('compares a question that may have been answered once, until there is another gap', async () => {
    await record({ id: 'silent', verdict: 'likely', confidence: 0.8 });
    const read = jest.spyOn(store, 'profiles');
    const service = serving();
    await service.refresh(SERVER, 1);
    expect(read).toHaveBeenCalledTimes(1);
    await service.refresh(SERVER, 2);
    expect(read).toHaveBeenCalledTimes(1);
    await record({ id: 'b', conversation: 'c2' });
    await service.refresh(SERVER, 3);
    await service.refresh(SERVER, 4);
    expect((await store.list(SERVER)).map(({ gap }) => gap)).toEqual(['b', 'b']);
  });

  it('places a question when its caller says that the answer did not help', async () => {
    await record({ id: 'silent', verdict: 'likely', confidence: 0.8 });
    const service = serving();
    await service.refresh(SERVER, 1);
    await store.say(SERVER, { questionId: 'silent', principal: 'ann', answered: 'no', missing: '' });
    await service.refresh(SERVER, 2);
    expect(await store.gaps(SERVER)).toMatchObject([{ id: 'silent', state: 'open' }]);
  });

  it('opens an answered gap when somebody asks later and is not helped', async () => {
    await haveGap({ state: 'answered', changedAt: 2_000, answer: QUOTED });
    await record({ id: 'later', askedAt: 3_000, conversation: 'c2' });
    const service = serving();
    // The first time puts the question into the gap.
    await service.refresh(SERVER, 4_000);
    await service.refresh(SERVER, 5_000);
    expect(await store.gaps(SERVER)).toMatchObject([{ state: 'open', answer: null }]);
  });
});

describe('asking again after an index run', () => {
  it('answers a gap with the quote of a new section if the answer is sure', async () => {
    await haveGap();
    expect(await afterRun({ answer: () => QUOTE })).toMatchObject([
      { state: 'answered', changedAt: 9_000, generation: 'g2', answer: QUOTED },
    ]);
  });

  it.each(['open', 'written'] as const)('leaves a gap %s if nothing new is quoted', async (state) => {
    await haveGap({ state });
    expect(await afterRun()).toMatchObject([{ state, changedAt: 1_000, generation: 'g2', answer: null }]);
  });

  it.each<[string, SecondAnswer]>([
    ['is not sure', { confidence: 0.64 }],
    ['quotes mostly other text', { confidence: 0.66, quotes: { 'new.md': TEXT, 'a.md': 'A', 'b.md': 'B' } }],
  ])('has checked a gap if new text is quoted, but the answer %s', async (_, parts) => {
    await haveGap({}, { confidence: 0.62 });
    expect(await afterRun({ answer: () => ({ ...QUOTE, ...parts }) })).toMatchObject([
      { state: 'checked', answer: QUOTED },
    ]);
  });

  it('takes no quote that was there before for an answer', async () => {
    await haveGap({}, { profile: aProfile({ near: [['new.md', textHash(TEXT), 1]] }) });
    expect(await afterRun({ answer: () => QUOTE })).toMatchObject([{ state: 'open', answer: null }]);
  });

  it('takes the text of a page that was moved for known', async () => {
    await haveGap({}, { profile: aProfile({ near: [['old.md', textHash(TEXT), 1]] }) });
    expect(await afterRun({ answer: () => QUOTE })).toMatchObject([{ state: 'open', answer: null }]);
  });

  it.each([
    ['checked', 'no surer', 0.73],
    ['answered', 'surer', 0.76],
  ] as const)(
    'has %s a gap if a near section has changed and the answer is %s',
    async (state, _, confidence) => {
      await haveGap({}, { confidence: 0.7, profile: aProfile({ near: [['new.md', 'before', 1]] }) });
      expect(await afterRun({ answer: () => ({ ...QUOTE, confidence }) })).toMatchObject([
        { state, answer: QUOTED },
      ]);
    },
  );

  it('keeps the quote that counted, not an earlier one of a changed section or a less sure one', async () => {
    const pages = ['changed.md', 'less.md', 'new.md'].map((id) =>
      aCandidate({ section: { id, text: TEXT }, document: { path: id } }),
    );
    await haveGap({}, { confidence: 0.7, profile: aProfile({ near: [['changed.md', 'before', 1]] }) });
    const quotes = { 'changed.md': TEXT, 'less.md': TEXT, 'new.md': TEXT };
    const answer = () => ({ quotes, confidence: 0.74, quoteConfidence: { 'less.md': 0.5, 'new.md': 0.9 } });
    expect(await afterRun({ pages, answer })).toMatchObject([{ state: 'answered', answer: QUOTED }]);
  });

  it('asks once on each index', async () => {
    await haveGap({ generation: 'g2' });
    expect(await afterRun({ answer: () => QUOTE })).toMatchObject([{ state: 'open' }]);
  });

  it.each([
    ['answered', 'open'],
    ['checked', 'open'],
    ['written', 'written'],
  ] as const)('takes a quote that is gone from a gap that is %s', async (state, after) => {
    await haveGap({ state, answer: QUOTED });
    expect(await afterRun({ pages: [] })).toMatchObject([{ state: after, answer: null, generation: 'g2' }]);
  });

  it.each(['answered', 'checked'] as const)('keeps a quote that is there of a gap %s', async (state) => {
    await haveGap({ state, answer: QUOTED });
    expect(await afterRun()).toMatchObject([{ state, answer: QUOTED, generation: 'g2', changedAt: 1_000 }]);
  });

  it('asks with keywords that were longer when they were kept', async () => {
    await haveGap({}, { keywords: ['[redacted] '.repeat(12)] });
    expect(await afterRun({ answer: () => QUOTE })).toMatchObject([{ state: 'answered' }]);
  });

  it('goes on with the next gap if one can not be asked', async () => {
    await haveGap({ id: 'a' }, { text: 'Broken?' });
    await haveGap({ id: 'b' }, { conversation: 'c2', profile: OARS });
    const answer = (question: string): SecondAnswer => {
      if (question === 'Broken?') throw new TypeError('broken');
      return QUOTE;
    };
    expect(await afterRun({ answer })).toMatchObject([
      { id: 'a', state: 'open', generation: 'g2' },
      { id: 'b', state: 'answered' },
    ]);
  });

  it('asks later if an engine is lost', async () => {
    await haveGap();
    const answer = (): never => {
      throw new BackendUnavailableError('gone', { reason: 'x', hint: '' });
    };
    await expect(afterRun({ answer })).rejects.toThrow('gone');
    expect(await store.gaps(SERVER)).toMatchObject([{ generation: 'g1' }]);
  });
});

describe('an operator who may not see the answer of a gap', () => {
  const LIMITED = aCandidate({
    section: { id: 'new.md', text: TEXT },
    document: { path: 'new.md', allow: [['hr']] },
  });

  it('keeps it for others when the gap is marked', async () => {
    await haveGap({ state: 'checked', answer: QUOTED });
    const service = serving({ pages: [LIMITED] });
    const view = await service.find(SERVER, aScope({ groups: [] }), 'q1');
    expect(view.gap.answer).toBeNull();
    await service.mark(view, 'written', 9_000);
    expect(await store.gaps(SERVER)).toMatchObject([{ state: 'written', answer: QUOTED }]);
  });

  it('sees a gap that names no document, even if the index is lost', async () => {
    await haveGap({}, { nearestId: '' });
    const index = new FixedIndex([]);
    index.sections = () => Promise.reject(new BackendUnavailableError('gone', { reason: 'x', hint: '' }));
    const service = new GapsService(
      store,
      answering(() => ({})),
      index,
    );
    expect(await service.list(SERVER, aScope({ groups: [] }))).toHaveLength(1);
  });

  it('still removes it by opening the gap', async () => {
    await haveGap({ state: 'checked', answer: QUOTED });
    const service = serving({ pages: [LIMITED] });
    await service.mark(await service.find(SERVER, aScope({ groups: [] }), 'q1'), 'open', 9_000);
    expect(await store.gaps(SERVER)).toMatchObject([{ state: 'open', answer: null }]);
  });
});

describe('gaps outside the scope of the server', () => {
  it('are neither listed nor asked again', async () => {
    await haveGap({ id: 'a', scope: aScope({ docTags: ['guides'] }) });
    await haveGap({ id: 'b', scope: aScope({ docTags: ['salaries'] }) }, { conversation: 'c2' });
    const server = { ...SERVER, docTags: ['guides'] };
    const service = serving({ generation: 'g2', answer: () => QUOTE });
    await service.refresh(server, 9_000);
    expect((await service.list(server, null)).map(({ gap }) => gap.id)).toEqual(['a']);
    expect(await store.gaps(SERVER)).toMatchObject([
      { id: 'a', state: 'answered' },
      { id: 'b', state: 'open', generation: 'g1' },
    ]);
  });
});
