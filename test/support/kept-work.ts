import type { SqlDatabase } from '../../src/sqlite/stores/sql-database.port.js';
import { ClaimStore } from '../../src/work/claims/claim-store.js';
import { QuestionStore } from '../../src/work/questions/question-store.js';
import { RunStore } from '../../src/work/runs/run-store.js';
import { aClaim, aPiece } from './a-claim.js';
import { aGap, aNewQuestion, aProfile, aQuestion } from './a-question.js';
import { aRun, aRunEvent, aRunKey } from './a-run.js';
import { aScope } from './builders.js';
import { NO_DOCUMENTS } from './hidden-pages.js';

const SCOPE = aScope({ projectId: 'docs', environment: 'prod', docTags: null, repositories: null });
const WEEK = '2026-W01';
const GAP = aGap({ scope: SCOPE, state: 'open' });
const CLAIM = aClaim({ id: 'c3', data: { schema: { name: 'fact', version: 1 }, json: '{}' } });
const RUN = aRun({ id: 'run_2', stepSchema: { name: 'fact', version: 1 } });

const claimsIn = (database: SqlDatabase): ClaimStore =>
  new ClaimStore({ database, maxBytes: 1e9, now: () => 0 }, NO_DOCUMENTS);

/** Keeps a question with its gap, the week of a summary, a run and a claim. */
export async function keepWork(database: SqlDatabase): Promise<void> {
  const questions = new QuestionStore(database);
  await questions.record({ questions: [aNewQuestion({ scope: SCOPE })], readings: [] });
  await questions.place([GAP], [{ questionId: 'q1', gapId: GAP.id }]);
  await questions.takeWeek(SCOPE, WEEK);
  await new RunStore(database).create(RUN, aRunEvent(1, { run_id: RUN.id }));
  await claimsIn(database).create(SCOPE, CLAIM, [aPiece()]);
}

/** Expects what `keepWork` has kept. */
export async function expectWork(database: SqlDatabase): Promise<void> {
  const questions = new QuestionStore(database);
  expect(await questions.list(SCOPE)).toMatchObject([aQuestion({ scope: SCOPE, gap: GAP.id })]);
  expect(await questions.profiles(['q1'])).toEqual(new Map([['q1', aProfile()]]));
  expect(await questions.gaps(SCOPE)).toMatchObject([GAP]);
  expect(await questions.takeWeek(SCOPE, WEEK)).toBe(false);
  expect(await new RunStore(database).get(aRunKey({ id: RUN.id }))).toMatchObject(RUN);
  expect(await claimsIn(database).get(SCOPE, CLAIM.id)).toMatchObject({
    ...{ statement: CLAIM.statement, data: CLAIM.data },
    evidence: [{ id: 'e1', quote: aPiece().quote }],
  });
}
