import { userInfo } from 'node:os';
import { type Common, settingsFrom } from '../../../cli/flags.js';
import { loadConfig } from '../../../cli/load-config.js';
import { print } from '../../../cli/print.js';
import { type OpenSession, type Session, withSession } from '../../../cli/running/session.js';
import { type Config, givenSettings } from '../../../config/config.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import type { Scope } from '../../../core/scope.js';
import { tell } from '../../../core/stderr.js';
import type { SqlDatabase } from '../../../sqlite/stores/sql-database.port.js';
import { plainJson, plainLine } from '../../../text/plain-line.js';
import { ClaimStore } from '../../claims/claim-store.js';
import { EvidenceCheckerService } from '../../claims/evidence-checker.service.js';
import { QuoteVerifierService } from '../../claims/quote-verifier.service.js';
import { openWorkDatabase } from '../../work-databases.js';
import { exportGaps, gapLines, usageLines } from '../export-gaps.js';
import { GAP_STATES, type GapState } from '../gap.js';
import { GapStatementService } from '../gap-statement.service.js';
import { GapsService } from '../gaps.service.js';
import { QuestionStore } from '../question-store.js';
import { UsageService } from '../usage.service.js';

/** Options of all commands about gaps. */
export type GapFlags = Common;

/** Options of `pith gaps`. */
export interface ListGapsFlags extends GapFlags {
  readonly state?: readonly GapState[];
  /** ISO-8601, UTC. */
  readonly since?: string;
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly markdown?: boolean;
}

interface OpenGaps {
  readonly session: Session;
  readonly config: Config;
  readonly database: SqlDatabase;
  readonly store: QuestionStore;
  readonly gaps: GapsService;
  /** Of the server that the settings describe, with the documents of all groups. */
  readonly space: Scope;
}

/** Opens the store and the index for one command. */
async function withGaps<T>(
  flags: GapFlags,
  open: OpenSession,
  use: (opened: OpenGaps) => Promise<T>,
): Promise<T> {
  const config = loadConfig(settingsFrom(flags));
  const database = openWorkDatabase(config, 'command');
  try {
    return await withSession(open(config), async (session) => {
      const store = new QuestionStore(database);
      const gaps = new GapsService(store, session.evidence, session.index);
      return use({
        session,
        config,
        database,
        store,
        gaps,
        space: { ...(await session.scope()), groups: null },
      });
    });
  } finally {
    await database.close();
  }
}

const DAY_MS = 86_400_000;

/** `pith gaps`. It removes old questions, too, if it is told when they are: a server may keep them longer than the default. */
export function listGaps(flags: ListGapsFlags, open: OpenSession): Promise<void> {
  const { state, since, json, csv, markdown } = flags;
  return withGaps(flags, open, async ({ store, gaps, space, config }) => {
    const now = Date.now();
    if ('PITH_QUESTIONS_RETENTION_DAYS' in givenSettings().settings)
      await store.purge(space, now - config.questions.retentionDays * DAY_MS);
    await gaps.refresh(space, now);
    const facts = await gaps.facts(space, null, { ...(state && { states: state }), ...(since && { since }) });
    if (json) return print(plainJson(facts));
    if (csv || markdown) return print(exportGaps(facts, csv ? 'csv' : 'markdown').trimEnd());
    if (facts.length > 0) return print(...facts.flatMap(gapLines));
    print('No gap matches.');
    if (config.questions.mode === 'off')
      tell('Servers keep questions only with PITH_QUESTIONS=on, which is not set here.');
  });
}

/** `pith gaps usage` */
export function showUsage({ since, json, ...flags }: ListGapsFlags, open: OpenSession): Promise<void> {
  return withGaps(flags, open, async ({ session, store, space }) => {
    const usage = new UsageService(store, session.evidence, session.index);
    const from = since === undefined ? 0 : Date.parse(since);
    const facts = await usage.read(space, { scope: null, since: from, now: Date.now(), isTried: true });
    print(...(json ? [plainJson(facts)] : usageLines(facts)));
  });
}

/** The states that an operator can set. `checked` is what Pith itself finds. */
const SETTABLE: readonly GapState[] = GAP_STATES.filter((state) => state !== 'checked');

/** `pith gaps mark` */
export function markGap(
  { id, state: given }: { readonly id: string; readonly state: string },
  flags: GapFlags,
  open: OpenSession,
): Promise<void> {
  const state = SETTABLE.find((each) => each === given);
  if (!state)
    throw new InvalidArgumentError(`${plainLine(given)} is not a state that can be set.`, {
      reason: 'invalid_input',
      hint: `Give one of ${SETTABLE.join(', ')}.`,
    });
  return withGaps(flags, open, async ({ gaps, space }) => {
    await gaps.mark(await gaps.find(space, null, id), state, Date.now());
    print(`${id}: ${state}`);
  });
}

/** Longest name of a principal. */
const MAX_NAME = 128;

/** `pith gaps claim` */
export function claimGap(id: string, flags: GapFlags, open: OpenSession): Promise<void> {
  return withGaps(flags, open, async ({ session, database, store, config, gaps, space }) => {
    const { maxBytes } = config.substrate;
    const claims = new ClaimStore({ database, now: Date.now, maxBytes }, session.index);
    const checker = new EvidenceCheckerService(new QuoteVerifierService(session.index), session.passages);
    const made = new GapStatementService(store, claims, checker);
    const by = plainLine(userInfo().username).slice(0, MAX_NAME);
    const claimId = await made.make(await gaps.find(space, null, id), by, Date.now());
    print(`Claim ${claimId}`);
  });
}
