import { z } from 'zod';
import { AdminFailure } from '../../../admin/admin-failure.js';
import { instantSchema, parseQuery, typedText } from '../../../admin/admin-query.js';
import { CALL_OUTCOMES } from '../../ledger/ledger-event.js';
import type { RunQuery } from '../../ledger/ledger-line.js';

const word = typedText(256);
/** Sequence number of a line. */
const line = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
/** Longest id of a run in the ledger. */
const MAX_RUN = 512;
const ROWS = 50;

const runsSchema = z.strictObject({
  principal: word.optional(),
  agent: word.optional(),
  outcome: z.enum(CALL_OUTCOMES).optional(),
  since: instantSchema.optional(),
  until: instantSchema.optional(),
  before: line.optional(),
});

/** Filters of the list of runs, named as in URLs. */
export type RunsQuery = z.output<typeof runsSchema>;

const runSchema = z.strictObject({ id: z.string().min(1).max(MAX_RUN), after: line.default(0) });

/** A run and the line after which its page begins. */
export type RunPlace = z.output<typeof runSchema>;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseRunsQuery = (query: unknown): RunsQuery => parseQuery(runsSchema, query);

/** @throws AdminFailure INVALID_ARGUMENT */
export const parseRunPlace = (query: unknown): RunPlace => parseQuery(runSchema, query);

export const toRunQuery = ({ since, ...query }: RunsQuery): RunQuery => ({
  ...query,
  from: since,
  limit: ROWS,
});

export function noRun(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'The run ledger has no lines of this run.',
    'Lines are removed after PITH_LEDGER_RETENTION_DAYS. The runs that are kept are at /admin/runs.',
  );
}

export function noLedger(): AdminFailure {
  return new AdminFailure(
    'NOT_FOUND',
    'This server has no run ledger.',
    'Set PITH_LEDGER=on and start the server again.',
  );
}
