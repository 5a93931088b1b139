import { z } from 'zod';
import { limitReasonSchema } from '../kb/kb.schemas.js';

/** Ids of the older contract are any strings; ours take at most 1,024 bytes, and what is longer is unknown. */
export const idSchema = z.string().max(1_024);
export const idsSchema = z.array(idSchema).max(200);

export const cursorSchema = z.string().max(512).nullable().default(null);
export const sessionIdSchema = z.string().max(256).nullable().default(null);
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
