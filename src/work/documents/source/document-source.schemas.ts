import { z } from 'zod';
import { sha256Schema } from '../../fields.schemas.js';

/** Longest text of a call, in UTF-16 units. */
export const MAX_TEXT_CHARS = 65_536;

/** The document that a call is about: sent, stored as an artifact, or in the index. */
export const sourceShape = {
  text: z
    .string()
    .min(1)
    .max(MAX_TEXT_CHARS)
    .optional()
    .describe('The document itself, or give document for one of the index.'),
  format: z
    .enum(['md', 'mdx', 'html', 'txt'])
    .optional()
    .describe('Of text. Default: by the extension of path, else md.'),
  path: z.string().min(1).max(1_024).optional().describe('Name of text, for section ids. Default: document.'),
  document: z.string().min(1).max(1_024).optional().describe('Path of a document of the index.'),
  artifact: sha256Schema
    .optional()
    .describe('SHA-256 of a stored text of as many characters; path names it.'),
} as const;

export type AskedSource = z.output<z.ZodObject<typeof sourceShape>>;

/** The document of a result. */
export const shownDocument = z.strictObject({
  path: z.string(),
  title: z.string(),
  /** `sent`: offsets are in the text of the call; `stored`: in the text of the section. */
  origin: z.enum(['sent', 'stored']),
  /** Reasons to read it with care; absent for most documents. */
  flags: z.array(z.strictObject({ line: z.int(), reason: z.string() })).optional(),
});

/** The hash of a section's text, by which readers can see if it has changed. */
export const citationShape = {
  /** Null if the section is not known. */
  section_id: z.string().nullable(),
  /** SHA-256 of the section's text, in hex; null without a section. */
  content_sha256: z.string().nullable(),
} as const;
