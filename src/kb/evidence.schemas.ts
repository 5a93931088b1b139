import { z } from 'zod';
import { LIMIT_REASONS } from '../core/reply.js';
import { scopeSchema } from '../scope/scope.schema.js';
import {
  diagnosticDebugSchema,
  diagnosticShape,
  filtersSchema,
  keywordsSchema,
  modeSchema,
  passageIdSchema,
  questionSchema,
  quoteBounds,
} from './kb.schemas.js';

export const ANSWERABLE = ['likely', 'unsure', 'unlikely'] as const;
export type Answerable = (typeof ANSWERABLE)[number];

const options = z
  .strictObject({
    mode: modeSchema,
    rewrite: z.boolean().default(true),
    max_per_doc: z.int().min(1).max(10).optional(),
    include_debug: z.boolean().default(false),
    skip_seen: z.boolean().default(false),
  })
  .describe('Defaults: mode auto, rewrite true. skip_seen leaves out what this session was shown.');

export const retrieveInput = z.strictObject({
  question: questionSchema,
  keywords: keywordsSchema,
  parts: z
    .array(z.string().min(1).max(1_000))
    .max(4)
    .default([])
    .describe('Sub-questions to search separately, if the question asks several things.'),
  ...quoteBounds,
  scope: scopeSchema.optional(),
  filters: filtersSchema.optional(),
  options: options.prefault({}),
  diagnostic_debug: diagnosticDebugSchema,
});
export type RetrieveInput = z.output<typeof retrieveInput>;

export const extractInput = z.strictObject({
  question: questionSchema,
  passage_ids: z.array(passageIdSchema).min(1).max(20),
  ...quoteBounds,
  scope: scopeSchema.optional(),
  diagnostic_debug: diagnosticDebugSchema,
});
export type ExtractInput = z.output<typeof extractInput>;

const quoteSchema = z.strictObject({
  quote: z.string(),
  passage_id: z.string(),
  section_id: z.string(),
  title: z.string(),
  uri: z.string(),
  confidence: z.number(),
  start_char: z.int(),
  end_char: z.int(),
});

/** What quotes do not say of their section: the titles above it, and its public address. */
const sourceSchema = z.strictObject({
  section_id: z.string(),
  title: z.string(),
  doc_tag: z.string(),
  url: z.string().optional(),
});

export type Quote = z.output<typeof quoteSchema>;
export type CitedSource = z.output<typeof sourceSchema>;

export const evidenceSchema = z.strictObject({
  quotes: z.array(quoteSchema),
  sources: z.array(sourceSchema),
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
  hint: z.string().optional(),
});
export type EvidenceOutput = z.output<typeof evidenceSchema>;

export const retrievedEvidenceSchema = z.strictObject({
  answerable: z.enum(ANSWERABLE),
  ...evidenceSchema.shape,
  /** The parts of the question without evidence; absent if every part has some. */
  parts_without_evidence: z.array(z.string()).optional(),
  ...diagnosticShape,
  degraded: z.array(z.string()).optional(),
  debug: z.record(z.string(), z.unknown()).optional(),
});
export type RetrievedEvidence = z.output<typeof retrievedEvidenceSchema>;
