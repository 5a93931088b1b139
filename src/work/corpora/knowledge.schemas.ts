import { z } from 'zod';
import { retrieveInput } from '../../kb/evidence.schemas.js';
import { jsonSchema, lineSchema } from '../fields.schemas.js';
import { cursorSchema, pageShape } from '../list-pages.js';
import { lowerNameSchema } from '../substrate/pointers/pointer.schemas.js';
import { documentsSchema, manifestShape } from './indexing/index.schemas.js';

export const MAX_SETTINGS_BYTES = 32_768;
export const MAX_LISTED_CORPORA = 100;
export const DEFAULT_LISTED_CORPORA = 50;
/** Skipped files and remarks that are listed. */
export const MAX_CORPUS_NOTES = 20;

export const createKbInput = z.strictObject({
  name: lowerNameSchema,
  source: documentsSchema,
  description: lineSchema(500).default('').describe('What it is about, in one line.'),
  settings_json: jsonSchema(MAX_SETTINGS_BYTES)
    .optional()
    .describe(
      'Settings as JSON with the names of .pith.yaml. Default: the .pith.yaml of the documents, if any.',
    ),
  replace: z.boolean().default(false).describe('True to build a corpus of this name again.'),
});
export type CreateKbInput = z.output<typeof createKbInput>;

export const queryKbInput = retrieveInput
  .omit({ version: true })
  .extend({ name: lowerNameSchema.describe('Name of the corpus.') });
export type QueryKbInput = z.output<typeof queryKbInput>;

export const listKbsInput = z.strictObject({
  limit: z.int().min(1).max(MAX_LISTED_CORPORA).default(DEFAULT_LISTED_CORPORA),
  cursor: cursorSchema,
});
export type ListKbsInput = z.output<typeof listKbsInput>;

const corpusShape = {
  name: z.string(),
  description: z.string(),
  /** Name of the folder that it was built from; absent for a manifest. */
  folder: z.string().optional(),
  ...manifestShape,
  /** Null for callers who may see only some of the documents. */
  documents: z.int().nullable(),
  sections: z.int().nullable(),
  created_by: z.string(),
  /** ISO-8601, UTC. */
  created_at: z.string(),
};

const note = z.strictObject({ path: z.string(), reason: z.string() });

export const createKbOutput = z.strictObject({
  ...corpusShape,
  seconds: z.number(),
  skipped_files: z.int(),
  /** The first skipped files and remarks. */
  notes: z.array(note),
  partial: pageShape.partial,
  limit_reason: pageShape.limit_reason,
});
export type CreatedKb = z.output<typeof createKbOutput>;

export const listKbsOutput = z.strictObject({
  /** By name. */
  corpora: z.array(z.strictObject(corpusShape)),
  ...pageShape,
});
export type KbListing = z.output<typeof listKbsOutput>;
export type KbEntry = KbListing['corpora'][number];
