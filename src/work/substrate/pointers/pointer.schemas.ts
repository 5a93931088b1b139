import { z } from 'zod';
import { limitShape } from '../../../mcp/schema.js';
import { lineSchema, sha256Schema } from '../../fields.schemas.js';
import { cursorSchema, pageShape } from '../../list-pages.js';
import { POINTER_TYPES } from './pointer-store.js';

export const MAX_LISTED_POINTERS = 100;
export const DEFAULT_LISTED_POINTERS = 50;
/** Steps of the history in one reply. */
export const MAX_MOVES = 50;
export const DEFAULT_MOVES = 10;
export const MAX_REASON_CHARS = 500;

/** A name in lower case. */
export const lowerNameSchema = z
  .string()
  .min(1)
  .max(64)
  .regex(
    /^[a-z0-9][a-z0-9._-]*$/,
    'must be lower-case letters, digits, ., _ and -, and start with a letter or digit',
  );
const namespaceSchema = lowerNameSchema.default('default').describe('A group of pointers. Default: default.');
const nameShape = { namespace: namespaceSchema, name: lowerNameSchema };

/** Names one pointer. */
export const pointerNameSchema = z.strictObject(nameShape);

export const createPointerInput = z.strictObject({
  ...nameShape,
  type: z
    .enum(POINTER_TYPES)
    .describe('bundle: files that belong together; corpus: to be indexed; snapshot: of one time.'),
  manifest_sha256: sha256Schema,
  description: lineSchema(500).default('').describe('What it is, in one line.'),
});
export type CreatePointerInput = z.output<typeof createPointerInput>;

export const advancePointerInput = z.strictObject({
  ...nameShape,
  expected_sha256: sha256Schema.describe(
    'The manifest that it is at now, as substrate.pointer.resolve says.',
  ),
  manifest_sha256: sha256Schema.describe('The manifest that it moves to.'),
  reason: lineSchema(MAX_REASON_CHARS).min(1).describe('Why, in one line; kept in its history.'),
});
export type AdvancePointerInput = z.output<typeof advancePointerInput>;

export const listPointersInput = z.strictObject({
  namespace: lowerNameSchema.optional().describe('Default: all namespaces.'),
  type: z.enum(POINTER_TYPES).optional(),
  limit: z.int().min(1).max(MAX_LISTED_POINTERS).default(DEFAULT_LISTED_POINTERS),
  cursor: cursorSchema,
});
export type ListPointersInput = z.output<typeof listPointersInput>;

export const resolvePointerInput = z.strictObject({
  ...nameShape,
  max_moves: z.int().min(1).max(MAX_MOVES).default(DEFAULT_MOVES),
  before_version: z
    .int()
    .min(1)
    .max(1_000_000_000)
    .optional()
    .describe('Only the history before this version.'),
});
export type ResolvePointerInput = z.output<typeof resolvePointerInput>;

const pointerShape = {
  namespace: z.string(),
  name: z.string(),
  type: z.enum(POINTER_TYPES),
  description: z.string(),
  manifest_sha256: z.string(),
  /** 1 when it was created; each move adds 1. */
  version: z.int(),
  /** ISO-8601, UTC. */
  moved_at: z.string(),
};
export const pointerOutput = z.strictObject(pointerShape);
export type PointerOutput = z.output<typeof pointerOutput>;

export const listPointersOutput = z.strictObject({
  /** By namespace and name. */
  pointers: z.array(pointerOutput),
  ...pageShape,
});
export type PointerListing = z.output<typeof listPointersOutput>;

export const resolvePointerOutput = z.strictObject({
  ...pointerShape,
  created_at: z.string(),
  /** Latest first. */
  history: z.array(
    z.strictObject({
      version: z.int(),
      /** Null for the creation. */
      old_sha256: z.string().nullable(),
      new_sha256: z.string(),
      by: z.string(),
      reason: z.string(),
      at: z.string(),
    }),
  ),
  ...limitShape,
});
export type ResolvedPointer = z.output<typeof resolvePointerOutput>;
