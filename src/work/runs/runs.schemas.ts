import { z } from 'zod';
import { limitShape } from '../../mcp/schema.js';
import { jsonSchema, sha256Schema } from '../fields.schemas.js';
import { pageShape } from '../list-pages.js';
import { heldSchemaInput, heldSchemaOutput } from '../schemas/schema-tools.schemas.js';
import { KEPT_CHECKPOINTS, RUN_STATUSES } from './run.js';

/** The events that the owner of a run may read. */
export const SHOWN_TYPES = [
  ...(['run.created', 'run.started', 'run.completed', 'run.failed', 'run.cancelled', 'run.step'] as const),
  ...(['run.checkpoint', 'tool.call.started', 'tool.call.completed', 'approval.requested'] as const),
  ...(['approval.decided', 'approval.used'] as const),
] as const;

/** Largest JSON of each argument, in UTF-8 bytes of its canonical form. */
export const MAX_CONFIG_BYTES = 8_192;
export const MAX_RESULT_BYTES = 16_384;
export const MAX_DETAILS_BYTES = 4_096;
export const MAX_DATA_BYTES = 2_048;
export const MAX_STATE_BYTES = 32_768;
/** Versions of the state of a run that can be read. */
export const KEPT_VERSIONS = KEPT_CHECKPOINTS;
/** Runs and events of a page, unless the caller says otherwise. */
export const DEFAULT_RUNS = 20;
export const MAX_RUNS = 100;
export const DEFAULT_EVENTS = 50;
export const MAX_EVENTS = 100;
export const MAX_WAIT_MS = 20_000;

const MAX_NAME = 128;
const MAX_TEXT = 500;
const MAX_NUMBER = 1_000_000_000;

const runId = z.string().min(1).max(64).describe('From run.create.');
const typeName = z
  .string()
  .regex(/^\w[\w.:/-]*$/)
  .max(64);

export const createRunInput = z.strictObject({
  run_type: typeName.describe('A kind of runs, such as index-update.'),
  name: z.string().min(1).max(MAX_NAME).optional(),
  config: jsonSchema(MAX_CONFIG_BYTES).optional().describe('JSON text: what the run is to do.'),
  input_manifest_sha256: sha256Schema.optional().describe('64 hex digits: the manifest that it reads.'),
  step_schema: heldSchemaInput
    .optional()
    .describe('The data of every step has to fit it. A step without data counts as null.'),
});

export const runInput = z.strictObject({ run_id: runId });

export const completeRunInput = z.strictObject({
  run_id: runId,
  result: jsonSchema(MAX_RESULT_BYTES).optional().describe('JSON text.'),
  output_manifest_sha256: sha256Schema.optional().describe('64 hex digits: the manifest that it has made.'),
});

export const failRunInput = z.strictObject({
  run_id: runId,
  error: z.strictObject({
    type: typeName,
    message: z.string().min(1).max(MAX_TEXT),
    details: jsonSchema(MAX_DETAILS_BYTES).optional().describe('JSON text.'),
  }),
});

export const cancelRunInput = z.strictObject({
  run_id: runId,
  reason: z.string().min(1).max(MAX_TEXT).optional(),
});

export const logStepInput = z.strictObject({
  run_id: runId,
  step_name: z.string().min(1).max(MAX_NAME),
  event: z.enum(['start', 'complete']),
  data: jsonSchema(MAX_DATA_BYTES).optional().describe('JSON text; goes into the run ledger.'),
  duration_ms: z.number().min(0).max(MAX_NUMBER).optional(),
  success: z.boolean().optional(),
});

export const checkpointInput = z.strictObject({
  run_id: runId,
  state: jsonSchema(MAX_STATE_BYTES).describe('JSON text: what you need to go on from here.'),
  expected_version: z
    .int()
    .min(0)
    .max(MAX_NUMBER)
    .optional()
    .describe('Store only if the latest version is this one. 0: only if no state is stored yet.'),
});

export const getRunInput = z.strictObject({
  run_id: runId,
  checkpoint: z
    .int()
    .min(0)
    .max(MAX_NUMBER)
    .optional()
    .describe('Return the state of this version; 0 for the latest.'),
});

export const listRunsInput = z.strictObject({
  status: z.enum(RUN_STATUSES).optional(),
  run_type: typeName.optional(),
  limit: z.int().min(1).max(MAX_RUNS).default(DEFAULT_RUNS),
  cursor: z.string().min(1).max(512).nullable().optional(),
});

export const runEventsInput = z.strictObject({
  run_id: runId,
  since_sequence: z
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(0)
    .describe('Only later events: next_since_sequence of the last reply.'),
  types: z.array(z.enum(SHOWN_TYPES)).max(SHOWN_TYPES.length).optional(),
  limit: z.int().min(1).max(MAX_EVENTS).default(DEFAULT_EVENTS),
  wait_ms: z
    .int()
    .min(0)
    .max(MAX_WAIT_MS)
    .default(0)
    .describe('Milliseconds to wait for the next event. 0: answer at once.'),
});

const briefShape = {
  run_id: z.string(),
  run_type: z.string(),
  name: z.string().nullable(),
  status: z.enum(RUN_STATUSES),
  /** ISO-8601, UTC; null before. */
  created_at: z.string(),
  started_at: z.string().nullable(),
  ended_at: z.string().nullable(),
  /** Version of the latest checkpoint; 0 for none. */
  checkpoint_version: z.int(),
};

/** A run after a change. */
export const runOutput = z.strictObject(briefShape);
export type RunBrief = z.output<typeof runOutput>;

/** Any JSON. */
const anything = z.unknown();

export const getRunOutput = z.strictObject({
  ...briefShape,
  principal: z.string(),
  agent: z.string(),
  /** Null if none was given, as with the others. */
  config: anything,
  input_manifest_sha256: z.string().nullable(),
  /** The data of every step has to fit it. */
  step_schema: heldSchemaOutput.nullable(),
  /** Of a run that was completed. */
  result: anything,
  output_manifest_sha256: z.string().nullable(),
  /** Of a run that has failed. */
  error: anything,
  /** Of a run that was cancelled. */
  cancel_reason: z.string().nullable(),
  /** The checkpoint that was asked for. */
  checkpoint: z.strictObject({ version: z.int(), stored_at: z.string(), state: anything }).nullable(),
});
export type RunDescription = z.output<typeof getRunOutput>;

export const listRunsOutput = z.strictObject({
  /** Newest first. */
  runs: z.array(z.strictObject({ ...briefShape, principal: z.string() })),
  ...pageShape,
});
export type RunListing = z.output<typeof listRunsOutput>;

const shownEvent = z.strictObject({
  sequence: z.int(),
  time: z.string(),
  type: z.enum(SHOWN_TYPES),
  call_id: z.string(),
  tool: z.string(),
  /** Counts the events about the run itself, from 1. */
  number: z.int().optional(),
  step: z.string().optional(),
  step_event: z.string().optional(),
  success: z.boolean().optional(),
  duration_ms: z.number().optional(),
  checkpoint_version: z.int().optional(),
  /** Canonical JSON, without secrets of known kinds; a long one is clipped and ends with `…`. */
  data: z.string().optional(),
  manifest_sha256: z.string().optional(),
  /** Of a call; `waiting` for one that needs an approval, `not_executed` for one that was refused or invalid. */
  outcome: z.string().optional(),
  error_code: z.string().optional(),
  approval_id: z.string().optional(),
  verdict: z.string().optional(),
});
export type ShownEvent = z.output<typeof shownEvent>;

export const runEventsOutput = z.strictObject({
  run_id: z.string(),
  status: z.enum(RUN_STATUSES),
  events: z.array(shownEvent),
  /** Send it as since_sequence to go on. */
  next_since_sequence: z.int(),
  /** True if more events are there already. */
  has_more: z.boolean(),
  ...limitShape,
  skipped: z.int().optional(),
});
export type RunEventsPage = z.output<typeof runEventsOutput>;
