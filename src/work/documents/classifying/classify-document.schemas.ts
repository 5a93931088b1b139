import { z } from 'zod';
import { LIMIT_REASONS } from '../../../core/reply.js';
import { scopeSchema } from '../../../scope/scope.schema.js';
import { citationShape, shownDocument, sourceShape } from '../source/document-source.schemas.js';

export const MAX_LABELS = 32;
export const MAX_PASSAGES = 5;
const name = z.string().min(1).max(128);

export const classifyDocumentInput = z.strictObject({
  ...sourceShape,
  labels: z
    .array(
      z.strictObject({
        label: name,
        description: z.string().min(1).max(500).optional().describe('Words that such documents use.'),
      }),
    )
    .min(1)
    .max(MAX_LABELS)
    .optional()
    .describe('Default: the facets of the indexed documents.'),
  facets: z.array(name).min(1).max(16).optional().describe('Without labels: only these, such as doc_tag.'),
  passages: z.int().min(0).max(MAX_PASSAGES).default(2).describe('For each label.'),
  scope: scopeSchema.optional(),
});
export type ClassifyDocumentInput = z.output<typeof classifyDocumentInput>;

export const classifyDocumentOutput = z.strictObject({
  document: shownDocument,
  /** `neighbours`: the values of similar indexed documents; `words`: the words of the given labels. */
  method: z.enum(['neighbours', 'words']),
  /** Best first within a facet. */
  labels: z.array(
    z.strictObject({
      /** Null for given labels. */
      facet: z.string().nullable(),
      label: z.string(),
      /** 0 to 1; not a probability. */
      score: z.number(),
      /** Similar documents with this value, best first; none for given labels. */
      similar: z.array(z.string()),
      /** Verbatim; offsets are in the text of the section, as document.parse shows it. */
      passages: z.array(
        z.strictObject({ ...citationShape, start_char: z.int(), end_char: z.int(), text: z.string() }),
      ),
    }),
  ),
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
  /** Labels that are too long for any reply. */
  skipped: z.int().optional(),
});
export type Classification = z.output<typeof classifyDocumentOutput>;
