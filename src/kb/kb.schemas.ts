import { z } from 'zod';
import type { SectionFilter } from '../core/ports/section-index.port.js';
import { decodePath } from '../core/section-id.js';

const isoDate = z.iso.datetime({ offset: true }).or(z.iso.date());

/** Handles are 22 characters; longer ones are unknown, not malformed. */
export const passageIdSchema = z.string().min(1).max(1_024);

export const questionSchema = z.string().min(1).max(4_000);

export const keywordsSchema = z
  .array(z.string().min(1).max(80))
  .max(8)
  .default([])
  .describe('Send 2 to 8 terms that the documents probably use: API names, jargon, synonyms.');

/** For operators only; not listed for others. */
export const diagnosticDebugSchema = z
  .boolean()
  .default(false)
  .describe('Write a diagnostic with all candidates.');

export const modeSchema = z.enum(['auto', 'vector_only', 'hybrid_local']).default('auto');

const isDate = (text: string): boolean => isoDate.safeParse(text).success;

export const filtersSchema = z
  .strictObject({
    doc_tag: z.array(z.string().min(1).max(128)).max(64).optional(),
    path_prefix: z.string().max(1_024).nullable().optional(),
    updated_after: z
      .string()
      .max(40)
      .refine(isDate, 'Expected an ISO-8601 date or date and time')
      .nullable()
      .optional(),
  })
  .describe('updated_after: ISO date.');

/** The form of an excerpt. */
export const excerptOptionsSchema = z
  .strictObject({
    format: z.enum(['text', 'bullets']).default('text'),
    include_citation: z.boolean().default(true),
  })
  .prefault({});

/** Bounds on the quotes of one call. */
export const quoteBounds = {
  max_quotes: z.int().min(1).max(12).default(6),
  max_quote_tokens: z.int().min(10).max(200).default(80),
  include_context_tokens: z.int().min(0).max(200).default(20),
} as const;

export const excerptSchema = z.strictObject({
  passage_id: z.string(),
  excerpt: z.string(),
  start_char: z.int(),
  end_char: z.int(),
  truncated: z.boolean(),
  next_start_char: z.int().nullable(),
  citation: z
    .strictObject({ section_id: z.string(), doc_tag: z.string(), title: z.string(), uri: z.string() })
    .optional(),
});

export type ExcerptOutput = z.output<typeof excerptSchema>;

/** The index's filter for the `filters` object of a request. */
export function toSectionFilter(filters: z.output<typeof filtersSchema> | undefined): SectionFilter {
  const { doc_tag, path_prefix, updated_after } = filters ?? {};
  return {
    docTags: doc_tag ? [...new Set(doc_tag)].sort() : null,
    // Agents copy it from section ids, which carry the path percent-encoded.
    pathPrefix: path_prefix ? decodePath(path_prefix) : null,
    updatedAfter: updated_after ? new Date(updated_after).toISOString() : null,
  };
}
