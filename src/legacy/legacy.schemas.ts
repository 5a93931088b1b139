import { z } from 'zod';
import { limitReasonSchema } from '../kb/kb.schemas.js';

const MAX_ID_BYTES = 1_024;

/** Ids of the older contract are any strings, and ours have at most 1,024 bytes, as all ids. */
export const idSchema = z
  .string()
  .max(MAX_ID_BYTES)
  .refine((id) => Buffer.byteLength(id) <= MAX_ID_BYTES, `Expected at most ${MAX_ID_BYTES} bytes`);
export const idsSchema = z.array(idSchema).max(200);

export const cursorSchema = z.string().max(512).nullable().default(null);
/** Whatever the caller calls its session. */
export const sessionIdSchema = idSchema.nullable().default(null);
export const relTypesSchema = z.array(z.string().max(64)).max(64).nullable().default(null);

/** A number that its tool brings into bounds, as it always did; these bounds only keep nonsense out. */
export const anyInt = z.int().min(-1_000_000).max(1_000_000);

/** What all but two of the older tools end with. */
export const envelopeShape = {
  session_id: z.string(),
  partial: z.boolean(),
  limit_reason: limitReasonSchema,
  meta: z.strictObject({
    usage: z.strictObject({
      tokens_estimate: z.int(),
      bytes_returned: z.int(),
      duplicates_suppressed: z.int(),
      source: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
};

export const cursorShape = { cursor: z.string().nullable(), next_cursor: z.string().nullable() };

/** What is added where there is no graph. */
export const graphOffShape = { error: z.string().optional(), neo4j_disabled: z.literal(true).optional() };

/** Facts about a node; each tool shows some of them. */
export const nodeShape = {
  id: z.string(),
  label: z.string(),
  title: z.string(),
  level: z.int().nullable(),
  tokens: z.int(),
  doc_tag: z.string().nullable(),
  anchor: z.string().nullable(),
};

export const textRowSchema = z.strictObject({
  section_id: z.string(),
  title: z.string(),
  doc_tag: z.string(),
  text_truncated: z.string(),
  bytes: z.int(),
  truncated: z.boolean(),
  source_blob_id: z.null(),
});
