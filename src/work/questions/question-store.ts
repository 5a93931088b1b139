import { setImmediate } from 'node:timers/promises';
import type { Scope } from '../../core/scope.js';
import { ANSWERABLE } from '../../kb/evidence.schemas.js';
import { text } from '../../sqlite/driver.js';
import { isOneOf, type Sql, type SqlDatabase, type SqlRow } from '../../sqlite/stores/sql-database.port.js';
import { IN_SPACE, parsed, spaceValues } from '../work-rows.js';
import type { WorkSpace } from '../work-space.js';
import type { Gap, GapAnswer, GapState, Placement } from './gap.js';
import {
  ANSWERED,
  type Answered,
  type KeptQuestion,
  MAX_QUESTIONS,
  type NewQuestion,
  questionLikeness,
  type QuestionProfile,
  type ReadOn,
  scopeKey,
} from './question.js';

/** How long a question can be asked again, or its answer read on (ms). */
const CONVERSATION_MS = 1_800_000;
/** The questions of a conversation that a further one is compared with. */
const RECENT = 10;
/** Questions of a list that are read at once. */
const PAGE = 1_000;
/** From this similarity on, a question of the same conversation asks an earlier one again. */
const AGAIN_FROM = 0.35;

const COLUMNS = `id, scope, principal, agent, conversation, asked_at, question, keywords, verdict, confidence, quoted, generation,
  nearest_id, nearest_title, root, read_on, answered, missing, gap`;
const INSERT = `INSERT INTO question (project, environment, profile, handles, ${COLUMNS})
  VALUES (:projectId, :environment, :profile, :handles, :id, :scope, :principal, :agent, :conversation, :askedAt, :text, :keywords,
    :verdict, :confidence, :quoted, :generation, :nearestId, :nearestTitle, :root, 0, '', '', '') ON CONFLICT (id) DO NOTHING`;
const OF_CONVERSATION = `conversation = :conversation AND ${IN_SPACE} AND asked_at >= :since AND asked_at <= :until
  ORDER BY asked_at DESC, id DESC LIMIT ${RECENT}`;

/** Ten-thousandths: both databases store integers alike. */
const UNIT = 10_000;

function toQuestion(row: SqlRow): KeptQuestion {
  const verdict = text(row['verdict']);
  const answered = text(row['answered']);
  return {
    id: text(row['id']),
    scope: parsed<Scope>(row, 'scope'),
    principal: text(row['principal']),
    agent: text(row['agent']),
    conversation: text(row['conversation']),
    askedAt: Number(row['asked_at']),
    text: text(row['question']),
    keywords: parsed<string[]>(row, 'keywords'),
    verdict: ANSWERABLE.find((each) => each === verdict) ?? 'unsure',
    confidence: Number(row['confidence']) / UNIT,
    quoted: parsed<string[]>(row, 'quoted'),
    generation: text(row['generation']),
    nearestId: text(row['nearest_id']),
    nearestTitle: text(row['nearest_title']),
    root: text(row['root']),
    isReadOn: Number(row['read_on']) === 1,
    answered: ANSWERED.find((each) => each === answered) ?? null,
    missing: text(row['missing']),
    gap: text(row['gap']),
  };
}

const toGap = (row: SqlRow): Gap => ({
  id: text(row['id']),
  scope: parsed<Scope>(row, 'scope'),
  state: text(row['state']) as GapState,
  changedAt: Number(row['changed_at']),
  generation: text(row['generation']),
  answer: parsed<GapAnswer | null>(row, 'answer'),
  claimId: text(row['claim']),
});

async function insertQuestion(sql: Sql, question: NewQuestion): Promise<void> {
  const { scope, profile, keywords, quoted, handles, confidence, ...values } = question;
  const key = scopeKey(scope);
  const { conversation, askedAt, id } = question;
  const window = { conversation, since: askedAt - CONVERSATION_MS, until: askedAt, ...spaceValues(scope) };
  const recent = await sql(`SELECT root, scope, profile FROM question WHERE ${OF_CONVERSATION}`, window);
  // Of equal ones, the newest comes first.
  const [best] = recent
    .filter((row) => row['scope'] === key)
    .map((row) => ({
      root: text(row['root']),
      likeness: questionLikeness(profile, parsed<QuestionProfile>(row, 'profile')),
    }))
    .filter(({ likeness }) => likeness >= AGAIN_FROM)
    .sort((one, other) => other.likeness - one.likeness);
  await sql(INSERT, {
    ...values,
    ...spaceValues(scope),
    ...{ scope: key, profile: JSON.stringify(profile), root: best?.root ?? id },
    confidence: Math.round(confidence * UNIT),
    ...{ keywords: JSON.stringify(keywords), quoted: JSON.stringify(quoted) },
    handles: JSON.stringify(handles),
  });
}

/** Marks the newest question of the conversation whose reply named one of the handles. */
async function noteReading(sql: Sql, { space, conversation, at, handles }: ReadOn): Promise<void> {
  const window = { conversation, since: at - CONVERSATION_MS, until: at, ...spaceValues(space) };
  const recent = await sql(`SELECT id, handles FROM question WHERE ${OF_CONVERSATION}`, window);
  const read = new Set(handles);
  const found = recent.find((row) => parsed<string[]>(row, 'handles').some((id) => read.has(id)));
  if (found) await sql('UPDATE question SET read_on = 1 WHERE id = :id', { id: text(found['id']) });
}

/** Removes the oldest questions of a space that has too many. */
async function removeExcess(sql: Sql, space: WorkSpace): Promise<void> {
  const values = spaceValues(space);
  const [last] = await sql(
    `SELECT asked_at FROM question WHERE ${IN_SPACE} ORDER BY asked_at DESC LIMIT 1 OFFSET ${MAX_QUESTIONS}`,
    values,
  );
  if (!last) return;
  await sql(`DELETE FROM question WHERE ${IN_SPACE} AND asked_at <= :last`, {
    ...values,
    last: Number(last['asked_at']),
  });
}

/** Records of the conversations of a server, in the order of time. */
export interface SeenInConversations {
  readonly questions: readonly NewQuestion[];
  readonly readings: readonly ReadOn[];
}

/** A caller's word about an answer. */
export interface Feedback {
  readonly questionId: string;
  /** Only who asked can say it. */
  readonly principal: string;
  readonly answered: Answered;
  readonly missing: string;
}

/**
 * Stores questions and gaps of those that were not answered. Several processes may share one store; each method is atomic
 * among them. All methods throw BackendUnavailableError if the store can't be used.
 */
export class QuestionStore {
  constructor(private readonly database: SqlDatabase) {}

  /** Stores questions, each once, and that answers were read on. */
  record({ questions, readings }: SeenInConversations): Promise<void> {
    return this.database.write(async (sql) => {
      for (const question of questions) await insertQuestion(sql, question);
      for (const reading of readings) await noteReading(sql, reading);
      const spaces = new Map(questions.map(({ scope }) => [JSON.stringify(spaceValues(scope)), scope]));
      for (const space of spaces.values()) await removeExcess(sql, space);
    });
  }

  /** @returns false for a question that this principal did not ask in the project, or that is not kept */
  say(space: WorkSpace, { questionId, principal, answered, missing }: Feedback): Promise<boolean> {
    return this.database.write(async (sql) => {
      const rows = await sql(
        `UPDATE question SET answered = :answered, missing = :missing
         WHERE id = :questionId AND principal = :principal AND ${IN_SPACE} RETURNING id`,
        { questionId, principal, answered, missing, ...spaceValues(space) },
      );
      return rows.length > 0;
    });
  }

  /** All questions of a space, in the order of asking. They are read in parts, so that other work goes on. */
  async list(space: WorkSpace): Promise<KeptQuestion[]> {
    const statement = `SELECT ${COLUMNS} FROM question WHERE ${IN_SPACE} AND asked_at >= :at
      AND (asked_at > :at OR id > :id) ORDER BY asked_at, id LIMIT ${PAGE}`;
    const found: KeptQuestion[] = [];
    for (;;) {
      const last = found.at(-1);
      const values = { ...spaceValues(space), at: last?.askedAt ?? 0, id: last?.id ?? '' };
      const rows = await this.database.read((sql) => sql(statement, values));
      found.push(...rows.map(toQuestion));
      if (rows.length < PAGE) return found;
      await setImmediate();
    }
  }

  /** Takes on the summary of a week. @param week  a day, ISO-8601 @returns false if another process did */
  takeWeek(space: WorkSpace, week: string): Promise<boolean> {
    const statement = `INSERT INTO gap_summary (project, environment, week) VALUES (:projectId, :environment, :week)
      ON CONFLICT (project, environment) DO UPDATE SET week = excluded.week WHERE gap_summary.week < excluded.week
      RETURNING week`;
    return this.database.write(async (sql) => {
      const rows = await sql(statement, { ...spaceValues(space), week });
      return rows.length > 0;
    });
  }

  /** Gives back the summary of a week that was not delivered. @param before  the week before, which stays taken */
  async returnWeek(space: WorkSpace, week: string, before: string): Promise<void> {
    const statement = `UPDATE gap_summary SET week = :before WHERE ${IN_SPACE} AND week = :week`;
    await this.database.write((sql) => sql(statement, { ...spaceValues(space), week, before }));
  }

  /** By question id; without those that are no longer kept. @param ids  at most 500 */
  async profiles(ids: readonly string[]): Promise<ReadonlyMap<string, QuestionProfile>> {
    const { condition, values } = isOneOf('id', ids);
    const rows = await this.database.read((sql) =>
      sql(`SELECT id, profile FROM question WHERE ${condition}`, values),
    );
    return new Map(rows.map((row) => [text(row['id']), parsed<QuestionProfile>(row, 'profile')]));
  }

  /** The gaps of a space, by id. */
  async gaps(space: WorkSpace): Promise<Gap[]> {
    const statement = `SELECT * FROM gap WHERE ${IN_SPACE} ORDER BY id`;
    return (await this.database.read((sql) => sql(statement, spaceValues(space)))).map(toGap);
  }

  /** Adds new gaps, and puts questions without a gap into gaps. */
  place(gaps: readonly Gap[], placements: readonly Placement[]): Promise<void> {
    return this.database.write(async (sql) => {
      for (const { scope, answer, claimId, ...gap } of gaps)
        await sql(
          `INSERT INTO gap (id, project, environment, scope, state, changed_at, generation, answer, claim)
           VALUES (:id, :projectId, :environment, :scope, :state, :changedAt, :generation, :answer, :claimId)
           ON CONFLICT (id) DO NOTHING`,
          { ...gap, ...spaceValues(scope), scope: scopeKey(scope), answer: JSON.stringify(answer), claimId },
        );
      for (const { questionId, gapId } of placements)
        await sql("UPDATE question SET gap = :gapId WHERE id = :questionId AND gap = ''", {
          questionId,
          gapId,
        });
    });
  }

  /**
   * Changes a gap if it is still as it was read.
   * @returns false if another process has changed it
   */
  change(before: Gap, after: Partial<Omit<Gap, 'id' | 'scope'>>): Promise<boolean> {
    const { state, changedAt, generation, claimId } = { ...before, ...after };
    const { answer } = after;
    return this.database.write(async (sql) => {
      const rows = await sql(
        `UPDATE gap SET state = :state, changed_at = :changedAt, generation = :generation, claim = :claimId
           ${answer === undefined ? '' : ', answer = :answer'}
         WHERE id = :id AND state = :old AND changed_at = :oldAt AND generation = :oldGeneration
           AND claim = :oldClaim RETURNING id`,
        {
          ...{ id: before.id, old: before.state, oldAt: before.changedAt, oldGeneration: before.generation },
          oldClaim: before.claimId,
          ...{ state, changedAt, generation, claimId },
          ...(answer !== undefined && { answer: JSON.stringify(answer) }),
        },
      );
      return rows.length > 0;
    });
  }

  /** Removes questions that were asked before a time (ms since the epoch), and gaps that have none left. */
  purge(space: WorkSpace, beforeMs: number): Promise<void> {
    return this.database.write(async (sql) => {
      await sql(`DELETE FROM question WHERE ${IN_SPACE} AND asked_at < :beforeMs`, {
        ...spaceValues(space),
        beforeMs,
      });
      await sql(
        `DELETE FROM gap WHERE ${IN_SPACE} AND NOT EXISTS (SELECT 1 FROM question WHERE question.gap = gap.id)`,
        spaceValues(space),
      );
    });
  }
}
