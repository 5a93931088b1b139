import { z } from 'zod';
import { MEMORY_TABLES } from '../core/ports/memory-store.port.js';
import { LIMIT_REASONS } from '../core/reply.js';
import { ORIGINS, SOURCE_TYPES, TRUST_TIERS } from './rows/provenance.js';
import { readInstant } from './rows/read-instant.js';

const clampTo = (min: number, max: number) => (value: number) => Math.min(max, Math.max(min, value));

/** A number that is clamped to its bounds; the schema still states them. */
function clampedNumber(minimum: number, maximum: number): z.ZodType<number, number> {
  return z.number().meta({ minimum, maximum }).transform(clampTo(minimum, maximum));
}

/** `clampedNumber` for whole numbers; fractions are refused. */
function clampedCount(minimum: number, maximum: number): z.ZodType<number, number> {
  return z
    .number()
    .refine(Number.isInteger, 'Expected a whole number')
    .meta({ type: 'integer', minimum, maximum })
    .transform(clampTo(minimum, maximum));
}

const tagsSchema = z.array(z.string().trim().min(1).max(128)).max(64);

/** A date or time in the formats that imports accept too; UTC if it names no zone. */
const instantSchema = z
  .string()
  .max(40)
  .refine((text) => readInstant(text) !== null, 'Expected an ISO-8601 date or date and time');

/** The input of `inner_voice.retrieve`; undefined fields take the configured values. */
export const memoryInputSchema = z.strictObject({
  query: z.string().trim().min(1).max(4_000),
  top_k: clampedCount(1, 50).optional(),
  floor: clampedNumber(0, 1)
    .optional()
    .describe('Lowest similarity; lowered automatically for a source without results.'),
  mix: clampedNumber(0, 1).optional().describe('Share of graph facts; 0: thoughts only, 1: graph only.'),
  include_private: z.boolean().default(false),
  include_tags: tagsSchema.optional().describe('At least one of these.'),
  exclude_tags: tagsSchema.default([]),
  recency_half_life_days: z
    .number()
    .min(0.01)
    .max(36_500)
    .optional()
    .describe('Age in days at which a score is halved.'),
  created_after: instantSchema.optional().describe('ISO date, inclusive.'),
  created_before: instantSchema.optional().describe('ISO date, inclusive.'),
});
export type MemoryInput = z.output<typeof memoryInputSchema>;

const snippetSchema = z.strictObject({
  id: z.string(),
  table: z.enum(MEMORY_TABLES),
  source_type: z.enum(SOURCE_TYPES),
  origin: z.enum(ORIGINS),
  trust_tier: z.enum(TRUST_TIERS),
  /** ISO-8601, UTC. */
  created_at: z.string(),
  /** The beginning of the row's text, verbatim. */
  text: z.string(),
  score: z.number(),
  /** Hash of the row's complete text. */
  content_hash: z.string(),
  /** Position of `text` in the complete text, in UTF-16 units. */
  span_start: z.int().optional(),
  span_end: z.int().optional(),
});
export type Snippet = z.output<typeof snippetSchema>;

const diagnosticsSchema = z.strictObject({
  provider: z.string(),
  model: z.string(),
  dim: z.int(),
  k_req: z.int(),
  k_ret: z.int(),
  /** Rows that pass the filters, before the floor and before the cap on candidates. */
  kg_candidates: z.int(),
  thought_candidates: z.int(),
  floor_used: z.number(),
  latency_ms: z.int(),
  no_results: z.literal(true).optional(),
  reason: z.enum(['floor_excluded_all', 'no_candidates']).optional(),
  /** Rows that were not compared: they are embedded with another model or dimension. */
  incomparable: z.int().optional(),
});

/** Parameters and figures of a retrieval; they contain no content. */
export type RetrievalFigures = z.output<typeof diagnosticsSchema>;

export const memoryOutputSchema = z.strictObject({
  snippets: z.array(snippetSchema),
  diagnostics: diagnosticsSchema,
  /** Present only if the size limit left out snippets. */
  partial: z.literal(true).optional(),
  limit_reason: z.enum(LIMIT_REASONS).optional(),
});
export type MemoryOutput = z.output<typeof memoryOutputSchema>;
