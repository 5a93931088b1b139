import { z } from 'zod';
import { limitShape } from '../mcp/schema.js';
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
  /** Of the documents, as `scope.describe` lists them. For pages: agents filter with search_docs. */
  version: z.string().min(1).max(128).optional().meta({ isUnlisted: true }),
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

const named = { quote: z.string(), passage_id: z.string(), section_id: z.string() };
const placed = { confidence: z.number(), start_char: z.int() };

/** The fields that differ between quotes. Models read all fields of each quote, so the others are in `sources`. */
const quoteSchema = z.strictObject({ ...named, ...placed });

/** A quoted section: the titles above it, and where people can open it. */
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
  /** With the `passage_id` of a quote in its place, the URI of the section's text. Absent without quotes. */
  passage_uri: z.string().optional(),
  ...limitShape,
  hint: z.string().optional(),
});
export type EvidenceOutput = z.output<typeof evidenceSchema>;

/** Evidence of passages, in which each quote has its whole citation, as the specification of the tool lists it. */
export const extractedEvidenceSchema = evidenceSchema.omit({ passage_uri: true }).extend({
  quotes: z.array(
    z.strictObject({ ...named, title: z.string(), uri: z.string(), ...placed, end_char: z.int() }),
  ),
});
export type ExtractedEvidence = z.output<typeof extractedEvidenceSchema>;

/** Quotes and their sources, of either tool. */
export type QuotedEvidence = Pick<EvidenceOutput, 'quotes' | 'sources'> & Partial<RetrievedEvidence>;

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
