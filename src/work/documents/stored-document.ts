import type { Section } from '../../core/section.js';
import { findLinks } from '../../ingest/links/find-links.js';
import { isContinuation } from '../../ingest/sections/section-document.js';
import type { OutlineEntry, PlacedTable, ReadDocument, StoredText, TextPart } from './read-document.js';
import { findTables, type TextSyntax } from './tables/find-tables.js';

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
    tables: part === 'tables' ? tablesOf(sections, syntaxOf(facts.path, sections)) : [],
  };
}

/** Sections of MDX, reStructuredText, AsciiDoc and HTML are Markdown without tags. Plain text has no headings. */
function syntaxOf(path: string, sections: readonly Section[]): TextSyntax {
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
