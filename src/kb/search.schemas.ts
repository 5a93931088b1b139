import { z } from 'zod';
import { SEARCH_SOURCES } from '../core/ranking.js';
import { limitShape } from '../mcp/schema.js';
import { scopeSchema } from '../scope/scope.schema.js';
import {
  diagnosticDebugSchema,
  diagnosticShape,
  filtersSchema,
  keywordsSchema,
  modeSchema,
  questionSchema,
} from './kb.schemas.js';

const options = z
  .strictObject({
    max_snippet_chars: z.int().min(60).max(600).default(280),
    max_per_doc: z.int().min(1).max(10).optional(),
    include_scores: z.boolean().default(false),
    include_debug: z.boolean().default(false),
    mode: modeSchema,
    rewrite: z.boolean().default(true),
  })
  .describe(
    'Defaults: 280 characters, 1 section per document (more if few documents match), mode auto, rewrite true.',
  );

const result = z.strictObject({
  passage_id: z.string(),
  section_id: z.string(),
  doc_tag: z.string(),
  title: z.string(),
  rank: z.int(),
  score: z.number(),
  source: z.enum(SEARCH_SOURCES),
  preview: z.string(),
  scratch_uri: z.string(),
  size_bytes: z.int(),
  anchor: z.string().nullable(),
  scores: z.record(z.string(), z.number()).optional(),
});

export const searchInput = z.strictObject({
  query: questionSchema,
  keywords: keywordsSchema,
  top_k: z.int().min(1).max(50).default(5).describe('Results over all pages.'),
  cursor: z.string().min(1).max(512).nullable().optional(),
  page_size: z.int().min(1).max(50).default(5),
  scope: scopeSchema.optional(),
  filters: filtersSchema.optional(),
  options: options.prefault({}),
  diagnostic_debug: diagnosticDebugSchema,
});
export type SearchInput = z.output<typeof searchInput>;

export const searchOutput = z.strictObject({
  results: z.array(result),
  next_cursor: z.string().nullable(),
  ...limitShape,
  skipped: z.int().optional(),
  session_id: z.string(),
  ...diagnosticShape,
  hint: z.string().optional(),
  degraded: z.array(z.string()).optional(),
  debug: z.record(z.string(), z.unknown()).optional(),
});
export type SearchOutput = z.output<typeof searchOutput>;
