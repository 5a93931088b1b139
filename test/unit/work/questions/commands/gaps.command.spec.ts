import type { Session } from '../../../../../src/cli/running/session.js';
import type { SqlDatabase } from '../../../../../src/sqlite/stores/sql-database.port.js';
import { listGaps } from '../../../../../src/work/questions/commands/gaps.command.js';
import { QuestionStore } from '../../../../../src/work/questions/question-store.js';
import { openWorkFile } from '../../../../../src/work/work-databases.js';
import { aNewQuestion, answering } from '../../../../support/a-question.js';
import { aScope, FixedIndex } from '../../../../support/builders.js';
import { commandOutput } from '../../../../support/command-output.js';
import { type TestFolder, testFolder } from '../../../../support/test-folder.js';

const DAY = 86_400_000;

let folder: TestFolder;
let database: SqlDatabase;
let store: QuestionStore;
beforeEach(() => {
  folder = testFolder();
  database = openWorkFile(folder.file('index.work.sqlite'));
  store = new QuestionStore(database);
});
afterEach(async () => {
  await database.close();
  folder.remove();
});

/** An index without documents, of callers without a group. */
const open = async (): Promise<Session> => {
  const session: Partial<Session> = {
    index: new FixedIndex([]),
    evidence: answering(() => ({})),
    scope: async () => aScope({ groups: [] }),
    close: async () => undefined,
  };
  return session as Session;
};
const ask = (days: number, scope = aScope()) => {
  const question = { id: `${days} days`, askedAt: Date.now() - days * DAY, scope };
  return store.record({ questions: [aNewQuestion(question)], readings: [] });
};
const output = commandOutput({ PITH_QUESTIONS: 'off' });
const list = () => listGaps({ index: folder.file('index.sqlite'), json: true }, open);

describe('pith gaps', () => {
  it('removes questions that are older than the setting, also where none are kept', async () => {
    process.env['PITH_QUESTIONS_RETENTION_DAYS'] = '90';
    await ask(91);
    await ask(89);
    await list();
    expect((await store.list(aScope())).map(({ id }) => id)).toEqual(['89 days']);
  });

  it('removes none without the setting, because the server may keep them longer', async () => {
    await ask(364);
    await list();
    expect(JSON.parse(output.text)).toMatchObject([{ gap_id: '364 days' }]);
  });

  it('lists the gaps of all groups of callers', async () => {
    await ask(1, aScope({ groups: ['staff'] }));
    await list();
    expect(JSON.parse(output.text)).toMatchObject([{ gap_id: '1 days' }]);
  });
});
