import type { MessagePort } from 'node:worker_threads';
import type { Section } from '../../core/section.js';
import { indexText } from '../../ingest/index-document.js';
import { findLinks } from '../../ingest/links/find-links.js';
import { MalformedDocumentError } from '../../ingest/reading/parsed-document.js';
import { textMarkup } from '../../ingest/reading/text-markup.js';
import { isContinuation } from '../../ingest/sections/section-document.js';
import { removeInvisible } from '../../text/remove-invisible.js';
import { labelPassages, type LabelTask } from './label-passages.js';
import {
  type OutlineEntry,
  type PlacedTable,
  type ReadDocument,
  type ReadTask,
  type SentText,
  sha256Of,
  type StoredText,
  type TextPart,
} from './read-document.js';
import { findTables, type TextSyntax } from './tables/find-tables.js';
import type { FoundTable } from './tables/form-table.js';
import { parseHtml } from './tables/html-tree.js';
import type { TextAnswer } from './text-answer.js';

/** Longest text of a section. A table that is longer is split, and each part repeats its header. */
const MAX_SECTION_CHARS = 4000;

/** Reads a document from its sections. @throws MalformedDocumentError */
export function readStored({ facts, sections, generation }: StoredText, part: TextPart): ReadDocument {
  return {
    origin: 'stored',
    facts,
    sections,
    outline: outlineOf(sections),
    links: findLinks(sections),
    version: generation,
    tables: part === 'tables' ? tablesOf(sections, storedSyntax(facts.path, sections)) : [],
  };
}

/** Sections of MDX, reStructuredText, AsciiDoc and HTML are Markdown without tags. Plain text has no headings. */
function storedSyntax(path: string, sections: readonly Section[]): TextSyntax {
  if (/\.txt$/i.test(path)) return sections.some(({ anchor }) => anchor !== null) ? 'converted' : 'text';
  return /\.(?:mdx|rst|adoc|asciidoc|html?)$/i.test(path) ? 'converted' : 'markdown';
}

/** The headings of sections, and those above them without text, which have no id. */
function outlineOf(sections: readonly Section[]): OutlineEntry[] {
  const outline: OutlineEntry[] = [];
  let open: readonly OutlineEntry[] = [];
  let before: Section | undefined;
  for (const section of sections) {
    const { id, title, level, anchor, headingPath } = section;
    const last = outline.at(-1);
    if (isContinuation(section, before) && last) {
      outline[outline.length - 1] = { ...last, sections: last.sections + 1 };
      before = section;
      continue;
    }
    const shared = sharedTitles(headingPath, before?.headingPath ?? []);
    const kept = open.slice(0, Math.min(shared, headingPath.length - 1));
    const bare = headingPath.slice(kept.length, -1).map((above, i) => ({
      id: null,
      title: above,
      level: Math.max(1, Math.min(kept.length + i + 1, level - 1)),
      anchor: null,
      parent: null,
      sections: 0,
    }));
    const parent = [...kept, ...bare].at(-1)?.id ?? null;
    const own = { id, title, level, anchor, parent, sections: 1 };
    outline.push(...bare, own);
    open = [...kept, ...bare, own];
    before = section;
  }
  return outline;
}

function sharedTitles(a: readonly string[], b: readonly string[]): number {
  const differs = a.findIndex((title, i) => title !== b[i]);
  return differs < 0 ? a.length : differs;
}

/** The tables of all sections. Offsets and lines are those of the section where a table begins. */
export function tablesOf(sections: readonly Section[], syntax: TextSyntax): PlacedTable[] {
  const tables: PlacedTable[] = [];
  let before: Section | undefined;
  let endsWithTable = false;
  for (const section of sections) {
    const found = findTables(section.text, syntax).map((table): PlacedTable => ({ ...table, section }));
    const [first] = found;
    const last = tables.at(-1);
    const isPart = endsWithTable && before !== undefined && isContinuation(section, before);
    if (isPart && first && last && before && continues(first, last, before)) {
      tables[tables.length - 1] = { ...last, rows: [...last.rows, ...first.rows] };
      tables.push(...found.slice(1));
    } else tables.push(...found);
    endsWithTable = found.at(-1)?.end === section.text.length;
    before = section;
  }
  return tables;
}

/** True if a table at the start of a section is the rest of the last table of the section before. */
function continues(rest: PlacedTable, table: PlacedTable, before: Section): boolean {
  const text = rest.section?.text ?? '';
  const isSame = JSON.stringify(rest.header) === JSON.stringify(table.header);
  const nextRow = text.split('\n')[2] ?? '';
  return (
    rest.start === 0 &&
    isSame &&
    rest.syntax === 'markdown' &&
    before.text.length + 1 + nextRow.length > MAX_SECTION_CHARS
  );
}

/** No settings of a manifest. */
const RULES = { docTag: undefined, repository: '', metadata: {}, declaredKeys: [] };

const indexed = ({ text, path, now }: SentText) =>
  indexText(text, {
    file: { path, bytes: Buffer.byteLength(text), mtimeMs: now },
    rules: RULES,
    hash: '',
  });

/** Reads a sent text as `pith index` reads a file at this path, without a manifest. @throws MalformedDocumentError */
async function readSent(sent: SentText, part: TextPart): Promise<ReadDocument> {
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

/** Work on a document whose time grows with it, as it passes between threads. */
export type DocumentTask = ReadTask | LabelTask;

/** @returns a `ReadDocument`, or `LabelledPassages[]` for a `LabelTask` @throws MalformedDocumentError */
export async function runTask(task: DocumentTask): Promise<unknown> {
  if ('sent' in task) return readSent(task.sent, task.part);
  if ('stored' in task) return readStored(task.stored, task.part);
  return labelPassages(task);
}

async function answer(task: DocumentTask): Promise<TextAnswer> {
  try {
    return { result: await runTask(task) };
  } catch (error) {
    if (error instanceof MalformedDocumentError)
      return { malformed: { line: error.line, reason: error.reason } };
    return { failed: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

/** The work of the thread that reads texts of calls. */
export function answerReads(port: MessagePort): void {
  port.on('message', (message: DocumentTask | 'close') => {
    if (message === 'close') port.close();
    else void answer(message).then((answered) => port.postMessage(answered));
  });
}
