import { z } from 'zod';
import { scopeSchema } from '../../../scope/scope.schema.js';
import { cursorSchema, pageShape } from '../../list-pages.js';
import { citationShape, shownDocument, sourceShape } from '../source/document-source.schemas.js';

export const PARTS = ['outline', 'sections', 'links'] as const;
/** Items of one page. */
export const MAX_ITEMS = 200;
const MAX_SECTION_CHARS = 4_000;

export const parseDocumentInput = z.strictObject({
  ...sourceShape,
  parts: z
    .array(z.enum(PARTS))
    .min(1)
    .max(PARTS.length)
    .default([...PARTS])
    .describe('Listed in this order.'),
  section_chars: z
    .int()
    .min(0)
    .max(MAX_SECTION_CHARS)
    .default(300)
    .describe('Characters of each section; 0 for none.'),
  limit: z.int().min(1).max(MAX_ITEMS).default(100),
  cursor: cursorSchema,
  scope: scopeSchema.optional(),
});
export type ParseDocumentInput = z.output<typeof parseDocumentInput>;

export const parseDocumentOutput = z.strictObject({
  document: shownDocument,
  /** Of the whole document. */
  counts: z.strictObject({ outline: z.int(), sections: z.int(), links: z.int() }),
  /** Headings in reading order; those of this page. */
  outline: z.array(
    z.strictObject({
      /** Null for a heading without text of its own in a stored document. */
      section_id: z.string().nullable(),
      title: z.string(),
      level: z.int(),
      anchor: z.string().nullable(),
      parent_id: z.string().nullable(),
      /** Sections with its text: several if it is long. */
      sections: z.int(),
    }),
  ),
  sections: z.array(
    z.strictObject({
      ...citationShape,
      title: z.string(),
      breadcrumb: z.string(),
      /** Of the whole section. */
      characters: z.int(),
      text: z.string(),
      truncated: z.boolean(),
    }),
  ),
  links: z.array(
    z.strictObject({ section_id: z.string().nullable(), href: z.string(), is_see_also: z.boolean() }),
  ),
  ...pageShape,
});
export type ParsedPage = z.output<typeof parseDocumentOutput>;
