import { z } from 'zod';
import { limitShape } from '../mcp/schema.js';

const MAX_ID_BYTES = 1_024;

/** Any string was an id in the older contract; like all ids it has at most 1,024 bytes. */
export const legacyIdSchema = z
  .string()
  .max(MAX_ID_BYTES)
  .refine((id) => Buffer.byteLength(id) <= MAX_ID_BYTES, `Expected at most ${MAX_ID_BYTES} bytes`);
export const legacyIdsSchema = z.array(legacyIdSchema).max(200);

export const legacyCursorSchema = z.string().max(512).nullable().default(null);
/** The caller's own name for its session. */
export const sessionIdSchema = legacyIdSchema.nullable().default(null);
export const relTypesSchema = z.array(z.string().max(64)).max(64).nullable().default(null);

/** A number that the tool clamps. These bounds only reject absurd values. */
export const anyInt = z.int().min(-1_000_000).max(1_000_000);

/** The last keys of all older tools except two, in this order. */
export const envelopeShape = {
  session_id: z.string(),
  ...limitShape,
  meta: z.strictObject({
    usage: z.strictObject({
      /** Of the payload, a conservative estimate. */
      tokens_estimate: z.int(),
      /** Of the payload as JSON in UTF-8. */
      bytes_returned: z.int(),
      duplicates_suppressed: z.int(),
      source: z.record(z.string(), z.unknown()).optional(),
    }),
  }),
};
export type LegacyEnvelope = z.output<z.ZodObject<typeof envelopeShape>>;

export const cursorShape = { cursor: z.string().nullable(), next_cursor: z.string().nullable() };

/** Added if there is no graph. */
export const graphOffShape = { error: z.string().optional(), neo4j_disabled: z.literal(true).optional() };

/** Facts about a node; each tool shows some of them. */
export const legacyNodeSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  title: z.string(),
  level: z.int().nullable(),
  tokens: z.int(),
  doc_tag: z.string().nullable(),
  anchor: z.string().nullable(),
});
export type LegacyNode = z.output<typeof legacyNodeSchema>;
