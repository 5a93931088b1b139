import { z } from 'zod';
import type { Call } from '../core/call.js';
import type { SectionFilter } from '../core/ports/section-index.port.js';
import { decodePath } from '../core/section-id.js';

const isoDate = z.iso.datetime({ offset: true }).or(z.iso.date());

/** Handles have 22 characters. Longer ones are unknown, not malformed. */
export const passageIdSchema = z.string().min(1).max(1_024);

export const questionSchema = z.string().min(1).max(4_000);

export const keywordsSchema = z
  .array(z.string().min(1).max(80))
  .max(8)
  .default([])
  .describe('Send 2 to 8 terms that the documents probably use: API names, jargon, synonyms.');

/** Only listed for operators. */
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

/** Limits of the quotes of one call. Without the first two, the evidence budget decides. */
export const quoteBounds = {
  max_quotes: z.int().min(1).max(12).optional(),
  max_quote_tokens: z.int().min(10).max(200).optional(),
  include_context_tokens: z.int().min(0).max(200).optional(),
} as const;

/** The index's filter for the `filters` object of a request. */
export function toSectionFilter(filters: z.output<typeof filtersSchema> | undefined): SectionFilter {
  const { doc_tag, path_prefix, updated_after } = filters ?? {};
  return {
    docTags: doc_tag ? [...new Set(doc_tag)].sort() : null,
    // Agents copy the prefix from section ids, in which paths are percent-encoded.
    pathPrefix: path_prefix ? decodePath(path_prefix) : null,
    updatedAfter: updated_after ? new Date(updated_after).toISOString() : null,
  };
}

/** The ids of the sections in a result. */
export function sectionIdsOf(items: readonly { readonly section_id: string }[]): string[] {
  return [...new Set(items.map(({ section_id }) => section_id))];
}

/** The fields of a result that point to its diagnostic. */
export const diagnosticShape = { diagnostic_id: z.string(), diagnostic_hint: z.string().optional() } as const;

/** The id that connects a result with logs, traces and, if one is written, its diagnostic. */
export function diagnosticOf({ id, trace }: Call): z.output<z.ZodObject<typeof diagnosticShape>> {
  const isWritten = trace.isKept && trace.isWritable;
  return { diagnostic_id: id, ...(isWritten ? { diagnostic_hint: `See retrieval diagnostics ${id}` } : {}) };
}
