import { QuestionsConfig } from '../../../../src/config/settings/questions.config.js';
import { ScopeConfig } from '../../../../src/config/settings/scope.config.js';
import { ScopeService } from '../../../../src/scope/scope.service.js';
import type { SqlDatabase } from '../../../../src/sqlite/stores/sql-database.port.js';
import { GapsService } from '../../../../src/work/questions/gaps.service.js';
import {
  QuestionMaintenance,
  QuestionParts,
} from '../../../../src/work/questions/question-maintenance.service.js';
import { QuestionRecorder } from '../../../../src/work/questions/question-recorder.js';
import { QuestionStore } from '../../../../src/work/questions/question-store.js';
import { openWorkFile } from '../../../../src/work/work-databases.js';
import { aNewQuestion } from '../../../support/a-question.js';
import { aScope, FixedIndex } from '../../../support/builders.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const DAY = 86_400_000;

let folder: TestFolder;
let database: SqlDatabase;
let store: QuestionStore;
let maintenance: QuestionMaintenance;
beforeEach(async () => {
  jest.useFakeTimers({ doNotFake: ['Date'] });
  folder = testFolder();
  database = openWorkFile(folder.file('w.sqlite'));
  store = new QuestionStore(database);
  const now = Date.now();
  const asked = [89, 91].map((days) => aNewQuestion({ id: `${days} days`, askedAt: now - days * DAY }));
  await store.record({ questions: asked, readings: [] });
});
afterEach(async () => {
  await maintenance.onApplicationShutdown();
  await database.close();
  folder.remove();
  jest.useRealTimers();
});

/** Starts the upkeep of a server. @param keeps  true if it keeps questions */
async function start(keeps: boolean, refresh: () => Promise<void> = async () => undefined) {
  const parts = { record: () => Promise.resolve(), hide: String, onLost: () => undefined };
  const gaps: GapsService = Object.assign(Object.create(GapsService.prototype), { refresh });
  const scopes = new ScopeService(new FixedIndex([]), new ScopeConfig());
  const recorder = keeps ? new QuestionRecorder(parts) : null;
  const upkeep = new QuestionParts(store, gaps, null);
  maintenance = new QuestionMaintenance(recorder, upkeep, scopes, new QuestionsConfig());
  maintenance.onApplicationBootstrap();
  await jest.advanceTimersByTimeAsync(0);
}
const kept = async () => (await store.list(aScope())).map(({ id }) => id);

describe('a server that keeps questions', () => {
  it('removes those that are older than 90 days', async () => {
    await start(true);
    expect(await kept()).toEqual(['89 days']);
  });

  it('puts them into gaps every minute, one time after the other', async () => {
    let end: () => void = () => undefined;
    const refresh = jest.fn(() => new Promise<void>((resolve) => (end = resolve)));
    await start(true, refresh);
    await jest.advanceTimersByTimeAsync(180_000);
    expect(refresh).toHaveBeenCalledTimes(1);
    end();
    await jest.advanceTimersByTimeAsync(60_000);
    expect(refresh).toHaveBeenCalledTimes(2);
  });

  it('goes on after a failure, until it stops', async () => {
    const refresh = jest.fn(() => Promise.reject(new Error('no index yet')));
    await start(true, refresh);
    await jest.advanceTimersByTimeAsync(120_000);
    expect(refresh).toHaveBeenCalledTimes(2);
    await maintenance.onApplicationShutdown();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(refresh).toHaveBeenCalledTimes(2);
  });
});

describe('a server that keeps none', () => {
  it('does nothing', async () => {
    const refresh = jest.fn(async () => undefined);
    await start(false, refresh);
    await jest.advanceTimersByTimeAsync(2 * DAY);
    expect(refresh).not.toHaveBeenCalled();
    expect(await kept()).toHaveLength(2);
  });
});
