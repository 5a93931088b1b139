import { z } from 'zod';
import { LIMIT_REASONS } from '../../../core/reply.js';
import { CAUSES } from '../../../diagnostics/why/why-missing.js';
import { filtersSchema, keywordsSchema, questionSchema } from '../../../kb/kb.schemas.js';
import { scopeSchema } from '../../../scope/scope.schema.js';

export const explainInput = z.strictObject({
  section_id: z
    .string()
    .min(1)
    .max(1_024)
    .describe('The expected section, or the path of its document for the section that got furthest.'),
  question: questionSchema,
  tool: z.enum(['kb.retrieve_evidence', 'kb.search']).default('kb.retrieve_evidence'),
  keywords: keywordsSchema,
  parts: z.array(z.string().min(1).max(1_000)).max(4).default([]).describe('Only of kb.retrieve_evidence.'),
  top_k: z.int().min(1).max(50).default(5).describe('Only of kb.search.'),
  max_per_doc: z.int().min(1).max(10).optional(),
  filters: filtersSchema.optional(),
  scope: scopeSchema.optional(),
});
export type ExplainInput = z.output<typeof explainInput>;

export const explainOutput = z.strictObject({
  section_id: z.string(),
  tool: z.string(),
  generation: z.string().nullable(),
  causes: z.array(
    z.strictObject({
      cause: z.enum(CAUSES),
      rank: z.int().nullable(),
      of: z.int().nullable(),
      listed: z.int(),
      others: z.array(z.string()),
      said: z.string(),
      next: z.string(),
    }),
  ),
  terms: z.strictObject({ asked: z.array(z.string()), held: z.array(z.string()) }),
  degraded: z.array(z.string()).optional(),
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
});
export type Explanation = z.output<typeof explainOutput>;
