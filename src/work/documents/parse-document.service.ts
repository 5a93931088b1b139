import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../config/server-secret.js';
import type { Call } from '../../core/call.js';
import type { FoundLink } from '../../core/indexed-document.js';
import type { Reply } from '../../core/reply.js';
import type { Section } from '../../core/section.js';
import { clipText, wholeOffset } from '../../text/span.js';
import { shownAnchor, shownTitle } from '../../text/untrusted-text.js';
import { ListCursors, pageFrom } from '../list-pages.js';
import { DocumentSourceService } from './document-source.service.js';
import type {
  ExtractedTables,
  ExtractTablesInput,
  ParseDocumentInput,
  ParsedPage,
} from './documents.schemas.js';
import {
  citationOf,
  type OutlineEntry,
  type PlacedTable,
  type ReadDocument,
  showDocument,
} from './read-document.js';

/** A heading, section or link of a page. */
type Item =
  | { readonly kind: 'outline'; readonly value: OutlineEntry }
  | { readonly kind: 'sections'; readonly value: Section }
  | { readonly kind: 'links'; readonly value: FoundLink };

/** Lists the parts of a document. */
@Injectable()
export class ParseDocumentService {
  constructor(
    private readonly source: DocumentSourceService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError for a bad source or cursor; BackendUnavailableError */
  async parse(call: Call, input: ParseDocumentInput): Promise<Reply<ParsedPage>> {
    const document = await this.source.read(call, input);
    const { parts, section_chars: maxChars, limit, cursor } = input;
    const items = itemsOf(document).filter(({ kind }) => parts.includes(kind));
    const question = ['document.parse', document.facts.path, document.origin, parts, call.scope];
    const signing = { secret: this.signing.secret, generation: document.version };
    const cursors = new ListCursors(call, question, signing);
    const page = { ...pageFrom(items, cursors.offsetOf(cursor), limit), maxChars };
    const { outline, sections, links } = document;
    return cursors.reply(page, (shown, fields, longest) => ({
      document: showDocument(document),
      counts: { outline: outline.length, sections: sections.length, links: links.length },
      ...listed(shown, document, longest),
      ...fields,
    }));
  }
}

function itemsOf({ outline, sections, links }: ReadDocument): Item[] {
  return [
    ...outline.map((value): Item => ({ kind: 'outline', value })),
    ...sections.map((value): Item => ({ kind: 'sections', value })),
    ...links.map((value): Item => ({ kind: 'links', value })),
  ];
}

function listed(items: readonly Item[], document: ReadDocument, maxChars: number) {
  return {
    outline: items.flatMap((item) => (item.kind === 'outline' ? [showHeading(item.value)] : [])),
    sections: items.flatMap((item) => (item.kind === 'sections' ? [showSection(item.value, maxChars)] : [])),
    links: items.flatMap((item) =>
      item.kind === 'links'
        ? [
            {
              section_id: document.sections[item.value.section]?.id ?? null,
              href: item.value.href,
              is_see_also: item.value.isSeeAlso,
            },
          ]
        : [],
    ),
  };
}

function showHeading({ id, title, level, anchor, parent, sections }: OutlineEntry) {
  return {
    section_id: id,
    title: shownTitle(title),
    level,
    anchor: shownAnchor(anchor),
    parent_id: parent,
    sections,
  };
}

function showSection(section: Section, maxChars: number) {
  const { title, headingPath, text } = section;
  return {
    ...citationOf(section),
    title: shownTitle(title),
    breadcrumb: headingPath.map(shownTitle).join(' > '),
    characters: text.length,
    text: text.slice(0, wholeOffset(text, maxChars)),
    truncated: text.length > maxChars,
  };
}

/** Writes rows as RFC 4180 says: CRLF after each row, fields with commas, quotes or line breaks in quotes. */
export function writeCsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toField).join(',')}\r\n`).join('');
}

// A row of one empty field would otherwise be a blank line, which readers skip.
const toField = (value: string, _at: number, row: readonly string[]): string =>
  /[",\r\n]/.test(value) || (row.length === 1 && value === '') ? `"${value.replaceAll('"', '""')}"` : value;

/** A row of one of the tables of a document. */
interface TableRow {
  /** Position of its table, from 0. */
  readonly table: number;
  /** Position in its table, from 0; -1 if the table has no rows. */
  readonly row: number;
  readonly cells: readonly string[];
}

type ShownTable = ExtractedTables['tables'][number];

/** A clipped cell is useless if it is shorter (characters). */
const MIN_CELL_CHARS = 40;

/** The rows of all tables in reading order. A table without rows counts as one, so that it is on a page. */
export function rowsOf(tables: readonly PlacedTable[]): TableRow[] {
  return tables.flatMap(({ rows }, table) =>
    rows.length > 0 ? rows.map((cells, row) => ({ table, row, cells })) : [{ table, row: -1, cells: [] }],
  );
}

/** Groups the rows of a page by table. @param rows  of consecutive positions, except for those that are left out */
export function showTables(
  tables: readonly PlacedTable[],
  rows: readonly TableRow[],
  { csv, maxChars }: { readonly csv: boolean; readonly maxChars: number },
): ShownTable[] {
  const byTable = new Map<number, TableRow[]>();
  for (const row of rows) byTable.set(row.table, [...(byTable.get(row.table) ?? []), row]);
  return [...byTable].flatMap(([place, own]) => {
    const table = tables[place];
    const shown = table && showTable(table, own, Math.max(MIN_CELL_CHARS, maxChars));
    if (!shown) return [];
    const text = csv ? { csv: writeCsv([...shown.header, ...shown.rows]) } : {};
    return [{ table: place + 1, ...shown, ...text }];
  });
}

function showTable(
  table: PlacedTable,
  own: readonly TableRow[],
  maxChars: number,
): Omit<ShownTable, 'table'> {
  const kept = own.filter(({ row }) => row >= 0);
  const clip = (cells: readonly string[]): string[] => cells.map((cell) => clipText(cell, maxChars));
  const isClipped = [...table.header, ...kept.map(({ cells }) => cells)].some((cells) =>
    cells.some(({ length }) => length > maxChars),
  );
  return {
    ...citationOf(table.section),
    syntax: table.syntax,
    ...shownCaption(table),
    first_line: table.firstLine,
    last_line: table.lastLine,
    start_char: table.start,
    end_char: table.end,
    columns: table.columns,
    total_rows: table.rows.length,
    header: table.header.map(clip),
    first_row: Math.max(0, kept[0]?.row ?? 0),
    rows: kept.map(({ cells }) => clip(cells)),
    complete: !isClipped && !table.isCut && kept.length === table.rows.length,
  };
}

function shownCaption({ caption, section }: PlacedTable): Pick<ShownTable, 'caption' | 'caption_from'> {
  if (caption) return { caption: clipText(caption.text, 300), caption_from: caption.from };
  if (section) return { caption: shownTitle(section.title), caption_from: 'heading' };
  return { caption: null, caption_from: null };
}

/** Lists the tables of a document, page by page. */
@Injectable()
export class ExtractTablesService {
  constructor(
    private readonly source: DocumentSourceService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError for a bad source or cursor; BackendUnavailableError */
  async extract(call: Call, input: ExtractTablesInput): Promise<Reply<ExtractedTables>> {
    const document = await this.source.read(call, input, 'tables');
    const { tables } = document;
    const { csv, limit, cursor } = input;
    const question = ['document.extract_tables', document.facts.path, document.origin, csv, call.scope];
    const signing = { secret: this.signing.secret, generation: document.version };
    const cursors = new ListCursors(call, question, signing);
    const page = pageFrom(rowsOf(tables), cursors.offsetOf(cursor), limit);
    const lengths = page.items.flatMap(({ cells }) => cells.map(({ length }) => length));
    const maxChars = lengths.reduce((most, length) => Math.max(most, length), 0);
    return cursors.reply({ ...page, maxChars }, (rows, fields, longest) => ({
      document: showDocument(document),
      total_tables: tables.length,
      tables: showTables(tables, rows, { csv, maxChars: longest }),
      ...fields,
    }));
  }
}
