import type { SectionQuery } from '../../../../src/core/ports/section-index.port.js';
import type { SqlDatabase } from '../../../../src/sqlite/stores/sql-database.port.js';
import type { NewQuestion } from '../../../../src/work/questions/question.js';
import { QuestionStore } from '../../../../src/work/questions/question-store.js';
import { unusedCount } from '../../../../src/work/questions/usage.js';
import { UsageService } from '../../../../src/work/questions/usage.service.js';
import { openWorkFile } from '../../../../src/work/work-databases.js';
import { aNewQuestion, answering } from '../../../support/a-question.js';
import { aCandidate, aScope, FixedIndex } from '../../../support/builders.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const SERVER = aScope({ groups: null });
const HELD = ['head', 'boat'];

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

const PAGES = ['a.md', 'b.md'].map((path) => aCandidate({ document: { path } }).document);

/** An index of two pages that contain a few words. */
class WordIndex extends FixedIndex {
  override async documents() {
    return { generation: 'g1', documents: PAGES };
  }

  override async search(query: SectionQuery) {
    const frequency = (term: string) => (HELD.includes(term) ? 1 : 0);
    const words = query.asked.words.map(({ term }) => [term, frequency(term)] as const);
    return { ...(await super.search(query)), documentFrequency: Object.fromEntries(words) };
  }
}

const usage = (): UsageService => {
  const answer = (question: string) => ({ confidence: question.includes('heads') ? 0.8 : 0.5 });
  return new UsageService(store, answering(answer), new WordIndex([]));
};
const read = (parts: Partial<Parameters<UsageService['read']>[1]> = {}) =>
  usage().read(SERVER, { scope: null, since: 0, now: 9_000, isTried: true, ...parts });
const ask = (id: string, parts: Partial<NewQuestion> = {}) =>
  store.record({
    questions: [
      aNewQuestion({ id, conversation: id, keywords: ['heads', 'potty'], nearestTitle: '', ...parts }),
    ],
    readings: [],
  });
const likely = { verdict: 'likely', confidence: 0.9 } as const;

describe('usage', () => {
  it('counts the pages that answered nothing', async () => {
    await ask('a', { ...likely, quoted: ['a.md#x'] });
    await ask('b', { quoted: ['b.md'] });
    expect(await read()).toMatchObject({ asked: 2, answered: 1, unused: { count: 1, paths: ['b.md'] } });
    expect(unusedCount((await read()).unused)).toBe('1');
  });

  it('says that there may be more pages than were looked through', async () => {
    const index = new WordIndex([]);
    const pages = Array.from({ length: 500 }, () => aCandidate({ document: { path: 'x.md' } }).document);
    index.documents = async () => ({ generation: 'g1', documents: pages });
    const service = new UsageService(
      store,
      answering(() => ({})),
      index,
    );
    const facts = await service.read(SERVER, { scope: null, since: 0, now: 9_000, isTried: false });
    expect(unusedCount(facts.unused)).toBe('at least 20000');
  });

  it('suggests words of the documents that make answers surer', async () => {
    for (const id of ['a', 'b']) await ask(id, { text: `Where is the loo of ship ${id}?` });
    for (const id of ['c', 'd', 'e']) await ask(id, { text: `Sails of ${id}?`, keywords: ['boat'] });
    const { words } = await read();
    expect(words.find(({ word }) => word === 'loo')).toEqual({
      word: 'loo',
      asked: 2,
      synonyms: [{ synonym: 'heads', asked: 2, confidence: 0.5, confidence_with: 0.8 }],
    });
  });

  it('shows operators what was asked within their scope, and nothing of other groups', async () => {
    await ask('a', { text: 'Where is the loo?' });
    await ask('b', { text: 'Where is the loo?', scope: aScope({ groups: ['crew'] }) });
    await ask('c', { text: 'Where is the loo?', scope: aScope({ docTags: ['salaries'], groups: ['crew'] }) });
    const seen = async (scope: Parameters<typeof aScope>[0]) => {
      const { asked, words } = await read({ scope: aScope(scope) });
      return [asked, words.map((each) => each.asked)];
    };
    expect(await seen({ groups: null })).toEqual([3, [3]]);
    expect(await seen({ docTags: ['salaries'], groups: ['crew'] })).toEqual([1, []]);
    expect(await seen({ docTags: ['guides'], groups: [] })).toEqual([0, []]);
  });

  it('leaves out what was asked earlier', async () => {
    await ask('a', { askedAt: 1_000 });
    await ask('b', { askedAt: 3_000 });
    expect(await read({ since: 2_000 })).toMatchObject({ asked: 1 });
  });

  it('does not look for pages that only earlier questions name', async () => {
    await ask('a', { askedAt: 1_000, quoted: ['a.md'] });
    await ask('b', { askedAt: 3_000, quoted: ['b.md'] });
    const found = jest.spyOn(WordIndex.prototype, 'sections');
    await read({ since: 2_000, scope: aScope({ groups: [] }) });
    expect(found.mock.calls.map(([, ids]) => ids)).toEqual([['b.md']]);
    found.mockRestore();
  });
});
