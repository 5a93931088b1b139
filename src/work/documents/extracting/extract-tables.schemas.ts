import { z } from 'zod';
import { scopeSchema } from '../../../scope/scope.schema.js';
import { cursorSchema, pageShape } from '../../list-pages.js';
import { citationShape, shownDocument, sourceShape } from '../source/document-source.schemas.js';

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
