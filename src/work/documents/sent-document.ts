import type { Section } from '../../core/section.js';
import { indexText } from '../../ingest/index-document.js';
import { textMarkup } from '../../ingest/reading/text-markup.js';
import { removeInvisible } from '../../text/remove-invisible.js';
import {
  type OutlineEntry,
  type PlacedTable,
  type ReadDocument,
  type SentText,
  sha256Of,
  type TextPart,
} from './read-document.js';
import { tablesOf } from './stored-document.js';
import { findTables, type TextSyntax } from './tables/find-tables.js';
import type { FoundTable } from './tables/form-table.js';
import { parseHtml } from './tables/html-tree.js';

/** No settings of a manifest. */
const RULES = { docTag: undefined, repository: '', metadata: {}, declaredKeys: [] };

const indexed = ({ text, path, now }: SentText) =>
  indexText(text, {
    file: { path, bytes: Buffer.byteLength(text), mtimeMs: now },
    rules: RULES,
    hash: '',
  });

/** Reads a sent text as `pith index` reads a file at this path, without a manifest. @throws MalformedDocumentError */
export async function readSent(sent: SentText, part: TextPart): Promise<ReadDocument> {
  const text = sent.text.replace(/^\u{FEFF}/u, '').replace(/\r\n?/g, '\n');
  const seen = removeInvisible(text).text;
  const syntax = syntaxOf(sent.path, seen);
  // Fails for HTML that would explode, before other parsers read it.
  if (syntax === 'html') parseHtml(text, false);
  const { document, lines } = await indexed({ ...sent, text });
  const { facts, sections, graph } = document;
  const outline = graph.headings.map(({ id, title, level, anchor, parent, sections: own }): OutlineEntry => ({
    id,
    title,
    level,
    anchor,
    parent,
    sections: own.length,
  }));
  const tables = async (): Promise<PlacedTable[]> => {
    // Lines of AsciiDoc are not known after the conversion.
    if (syntax === 'converted') return tablesOf(sections, syntax);
    const found = findTables(seen, syntax);
    if (syntax === 'html') return placeByAnchor(found, { ...sent, text: seen });
    return found.map((table) => ({ ...table, section: sectionAt(table, sections, lines) }));
  };
  return {
    origin: 'sent',
    facts,
    sections,
    outline,
    links: graph.links,
    version: sha256Of(JSON.stringify([sent.path, text])),
    tables: part === 'tables' ? await tables() : [],
  };
}

function syntaxOf(path: string, text: string): TextSyntax {
  const ending = path.toLowerCase().split('.').at(-1);
  const extension = ending === 'txt' ? (textMarkup(text) ?? ending) : ending;
  if (extension === 'mdx' || extension === 'rst') return extension;
  if (extension === 'adoc' || extension === 'asciidoc') return 'converted';
  if (extension === 'txt') return 'text';
  return extension === 'html' || extension === 'htm' ? 'html' : 'markdown';
}

/** The section of a table, of those below the last heading before it. */
function sectionAt(
  table: FoundTable,
  sections: readonly Section[],
  lines: readonly number[],
): Section | null {
  const heading = lines.findLast((line) => line <= table.firstLine);
  return bestSection(
    table,
    sections.filter((_, i) => lines[i] === heading),
  );
}

/** Rows that are looked for in the parts of a section. */
const ROWS = 5;

/** The section with most cells of the first rows; the first of equals; null without sections. */
function bestSection({ header, rows, syntax }: FoundTable, sections: readonly Section[]): Section | null {
  const cells = [...header, ...rows.slice(0, ROWS)].flat().filter((cell) => cell !== '');
  const scored = sections.map((section) => ({
    section,
    score: cells.filter((cell) => section.text.includes(cell)).length,
  }));
  const most = Math.max(0, ...scored.map(({ score }) => score));
  // Navigation and the frame of a page are not in its sections. Cells in Markdown may differ by marks.
  if (most === 0 && syntax === 'html' && cells.length > 0) return null;
  return scored.find(({ score }) => score === most)?.section ?? null;
}

/** Ingest tells the heading of each id in a page, so each table is given an id. */
async function placeByAnchor(found: readonly FoundTable[], sent: SentText): Promise<PlacedTable[]> {
  const nameOf = (at: number): string => `\u{E001}${at}`;
  const places = new Map(found.map((table, i) => [table.start, i]));
  const text = sent.text.replace(/<table(?=[\s/>])/gi, (tag, at: number) => {
    const place = places.get(at);
    return place === undefined ? tag : `${tag} id="${nameOf(place)}"`;
  });
  const { document } = await indexed({ ...sent, text });
  const headingOf = new Map(document.graph.anchors.map(({ name, heading }) => [name, heading]));
  const { headings } = document.graph;
  return found.map((table, i) => {
    const heading = headings.find(({ id }) => id === headingOf.get(nameOf(i)));
    const own = new Set(heading?.sections);
    return {
      ...table,
      section: bestSection(
        table,
        document.sections.filter(({ ordinal }) => own.has(ordinal)),
      ),
    };
  });
}
