import { z } from 'zod';
import { scopeSchema } from '../scope/scope.schema.js';
import { diagnosticDebugSchema, passageIdSchema } from './kb.schemas.js';

/** Maximum tokens of one excerpt. */
export const MAX_EXCERPT_TOKENS = 800;

const offset = z.int().min(0).max(1_000_000_000);
const tokensAround = z.int().min(0).max(MAX_EXCERPT_TOKENS).default(150);
const shared = {
  scope: scopeSchema.optional(),
  options: z
    .strictObject({
      format: z.enum(['text', 'bullets']).default('text'),
      include_citation: z.boolean().default(true),
    })
    .prefault({}),
  diagnostic_debug: diagnosticDebugSchema,
};

export const readExcerptInput = z.strictObject({
  passage_id: passageIdSchema,
  max_tokens: z.int().min(16).max(MAX_EXCERPT_TOKENS).default(300),
  start_char: offset.default(0),
  ...shared,
});
export type ReadExcerptInput = z.output<typeof readExcerptInput>;

export const expandExcerptInput = z.strictObject({
  passage_id: passageIdSchema,
  before_tokens: tokensAround,
  after_tokens: tokensAround,
  start_char: offset.optional().describe('Start of the window to widen; default: the last one.'),
  end_char: offset.optional().describe('End of that window.'),
  ...shared,
});
export type ExpandExcerptInput = z.output<typeof expandExcerptInput>;

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
