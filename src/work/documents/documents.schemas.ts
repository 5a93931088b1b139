import { z } from 'zod';
import { limitShape } from '../../mcp/schema.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { sha256Schema } from '../fields.schemas.js';
import { cursorSchema, pageShape } from '../list-pages.js';

/** Longest text of a call, in UTF-16 units. */
export const MAX_TEXT_CHARS = 65_536;

/** The document that a call is about: sent, stored as an artifact, or in the index. */
const sourceShape = {
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
const shownDocument = z.strictObject({
  path: z.string(),
  title: z.string(),
  /** `sent`: offsets are in the text of the call; `stored`: in the text of the section. */
  origin: z.enum(['sent', 'stored']),
  /** Reasons to read it with care; absent for most documents. */
  flags: z.array(z.strictObject({ line: z.int(), reason: z.string() })).optional(),
});

/** The hash of a section's text, by which readers can see if it has changed. */
const citationShape = {
  /** Null if the section is not known. */
  section_id: z.string().nullable(),
  /** SHA-256 of the section's text, in hex; null without a section. */
  content_sha256: z.string().nullable(),
} as const;

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

/** Rows of one page. */
export const MAX_ROWS = 1_000;

export const extractTablesInput = z.strictObject({
  ...sourceShape,
  csv: z.boolean().default(true).describe('Also as CSV.'),
  limit: z.int().min(1).max(MAX_ROWS).default(200).describe('Rows of all tables together.'),
  cursor: cursorSchema,
  scope: scopeSchema.optional(),
});
export type ExtractTablesInput = z.output<typeof extractTablesInput>;

const row = z.array(z.string());

export const extractTablesOutput = z.strictObject({
  document: shownDocument,
  /** Of the whole document. */
  total_tables: z.int(),
  /** In reading order; those with rows on this page. */
  tables: z.array(
    z.strictObject({
      ...citationShape,
      /** Position among the tables of the document, from 1. */
      table: z.int(),
      syntax: z.enum(['markdown', 'html']),
      caption: z.string().nullable(),
      /** Where the caption is from: the table's caption element, the line before it, or the heading. */
      caption_from: z.enum(['caption', 'line', 'heading']).nullable(),
      /** Lines from 1 and offsets, in the text that was sent or, for stored text and AsciiDoc, in that of the section. */
      first_line: z.int(),
      last_line: z.int(),
      start_char: z.int(),
      end_char: z.int(),
      columns: z.int(),
      total_rows: z.int(),
      /** Mostly one row; none if the table has no header. */
      header: z.array(row),
      /** Position of the first of these rows in the table, from 0. */
      first_row: z.int(),
      rows: z.array(row),
      /** RFC 4180: header and rows of this page; absent if not wanted. */
      csv: z.string().optional(),
      /** False if some of its rows are on other pages or were left out, or if cells are clipped. */
      complete: z.boolean(),
    }),
  ),
  ...pageShape,
});
export type ExtractedTables = z.output<typeof extractTablesOutput>;

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
  ...limitShape,
  /** Labels that are too long for any reply. */
  skipped: z.int().optional(),
});
export type Classification = z.output<typeof classifyDocumentOutput>;
