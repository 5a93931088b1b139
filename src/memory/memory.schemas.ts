import { z } from 'zod';
import { LIMIT_REASONS } from '../core/reply.js';
import { MEMORY_TABLES } from '../core/ports/memory-store.port.js';
import { EMPTY_REASONS } from './recall/memory-reply.js';
import { ORIGINS, SOURCE_TYPES, TRUST_TIERS } from './rows/provenance.js';
import { readInstant } from './rows/read-instant.js';

const clampTo = (min: number, max: number) => (value: number) => Math.min(max, Math.max(min, value));

/** A number that counts as the nearest bound where it is beyond one; the schema tells the bounds all the same. */
export function clampedNumber(minimum: number, maximum: number): z.ZodType<number, number> {
  return z.number().meta({ minimum, maximum }).transform(clampTo(minimum, maximum));
}

/** The same for whole numbers; fractions are refused. */
export function clampedCount(minimum: number, maximum: number): z.ZodType<number, number> {
  return z
    .number()
    .refine(Number.isInteger, 'Expected a whole number')
    .meta({ type: 'integer', minimum, maximum })
    .transform(clampTo(minimum, maximum));
}

export const tagsSchema = z.array(z.string().trim().min(1).max(128)).max(64);

/** What an import takes as a date, a question takes as well; UTC where it names no zone. */
export const momentSchema = z
  .string()
  .max(40)
  .refine((text) => readInstant(text) !== null, 'Expected an ISO-8601 date or date and time');

export const snippetSchema = z.strictObject({
  id: z.string(),
  table: z.enum(MEMORY_TABLES),
  source_type: z.enum(SOURCE_TYPES),
  origin: z.enum(ORIGINS),
  trust_tier: z.enum(TRUST_TIERS),
  created_at: z.string(),
  text: z.string(),
  score: z.number(),
  content_hash: z.string(),
  span_start: z.int().optional(),
  span_end: z.int().optional(),
});

export const diagnosticsSchema = z.strictObject({
  provider: z.string(),
  model: z.string(),
  dim: z.int(),
  k_req: z.int(),
  k_ret: z.int(),
  kg_candidates: z.int(),
  thought_candidates: z.int(),
  floor_used: z.number(),
  latency_ms: z.int(),
  no_results: z.literal(true).optional(),
  reason: z.enum(EMPTY_REASONS).optional(),
  incomparable: z.int().optional(),
});

export const limitReasonSchema = z.enum(LIMIT_REASONS);
