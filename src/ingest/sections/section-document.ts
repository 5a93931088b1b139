import GithubSlugger from 'github-slugger';
import type { FoundAnchor, FoundHeading, FoundLink } from '../../core/indexed-document.js';
import type { Section } from '../../core/section.js';
import { boundId, encodePath } from '../../core/section-id.js';
import { clipText } from '../../text/span.js';
import { pageAnchor } from '../reading/page-marks.js';
import type { BodyBlock, HeadingBlock, ParsedDocument } from '../reading/parsed-document.js';
import { headingPlaces, titleHeading } from './heading-places.js';
import { splitSection, type TextPiece } from './split-section.js';

/** Longer headings are clipped; the full heading is then the first text of its section. */
const MAX_TITLE_CHARS = 200;

/** A heading, or the start of the document, with the blocks up to the next heading. */
interface HeadingBlocks {
  readonly id: string;
  readonly headingPath: readonly string[];
  readonly anchor: string | null;
  readonly level: number;
  /** Line of the heading in the file; 0 for the start of the document. */
  readonly line: number;
  /** Id of the parent heading. */
  readonly parent: string | null;
  readonly blocks: TextPiece[];
}

type HeadingLine = Pick<HeadingBlocks, 'id' | 'line'>;

/** A section before its text is final. */
export type SplitSection = Omit<Section, 'structure'>;

export interface SectionedDocument {
  /** In reading order, ids unique; [] for a document without text. */
  readonly sections: readonly SplitSection[];
  /** For each section the line of its heading in the file; 0 for the start of the document. */
  readonly lines: readonly number[];
  /** Headings with the ordinals of their sections. The start of the document is left out if it has no text. */
  readonly headings: readonly FoundHeading[];
  /** Links in MDX tags, with the ordinal of their section. */
  readonly tagLinks: readonly Pick<FoundLink, 'section' | 'href'>[];
  readonly anchors: readonly FoundAnchor[];
}

/** Splits a document into sections. @param path  not encoded @param title  used if it has no title heading */
export function sectionDocument(path: string, document: ParsedDocument, title: string): SectionedDocument {
  const sections: SplitSection[] = [];
  const headings: FoundHeading[] = [];
  const lines: number[] = [];
  const headingLines: HeadingLine[] = [];
  for (const [at, group] of groupByHeading(encodePath(path), document, title).entries()) {
    const parts = toParts(group).map((part, i) => ({ ...part, ordinal: sections.length + i }));
    sections.push(...parts);
    lines.push(...parts.map(() => group.line));
    if (at === 0 && parts.length === 0) continue;
    headings.push(toHeading(group, parts));
    headingLines.push({ id: boundId(group.id), line: group.line });
  }
  const tagLinks = document.tagLinks.flatMap(({ href, line }) => {
    // A split section gets all its links at its first part, since the lines of the other parts are not known.
    const start = lines.findLast((own) => own <= line);
    return start === undefined ? [] : [{ section: lines.indexOf(start), href }];
  });
  return { sections, lines, headings, tagLinks, anchors: anchorsOf(document, headingLines) };
}

/** If several anchors have one name, the first one is used, as in browsers. */
function anchorsOf({ anchors }: ParsedDocument, headings: readonly HeadingLine[]): FoundAnchor[] {
  const found = new Map<string, string | null>();
  let next = 0;
  for (const { name, line } of [...anchors].sort((a, b) => a.line - b.line)) {
    while ((headings[next]?.line ?? Infinity) <= line) next++;
    if (!found.has(name)) found.set(name, headings[next - 1]?.id ?? null);
  }
  return Array.from(found, ([name, heading]) => ({ name, heading }));
}

function toHeading(group: HeadingBlocks, parts: readonly SplitSection[]): FoundHeading {
  const { id, headingPath, level, anchor, parent } = group;
  const title = headingPath.at(-1) ?? '';
  const sections = parts.map(({ ordinal }) => ordinal);
  return { id: boundId(id), title, level, anchor, parent: parent && boundId(parent), sections };
}

function groupByHeading(path: string, { blocks }: ParsedDocument, title: string): readonly HeadingBlocks[] {
  const top = titleHeading(blocks);
  const places = headingPlaces(blocks, top);
  const rootTitle = clipText(top?.title ?? title, MAX_TITLE_CHARS);
  const id = places.size > 0 ? `${path}#_preamble` : path;
  const anchor = (top && (top.anchor ?? GithubSlugger.slug(top.title))) || null;
  const start = { id, headingPath: [rootTitle], anchor, level: 1, line: 0, parent: null, blocks: [] };
  const groups: HeadingBlocks[] = [start];
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      groups.at(-1)?.blocks.push(block);
      continue;
    }
    const place = places.get(block);
    const full = longTitle(block);
    if (!place) {
      groups.at(-1)?.blocks.push(...full);
      continue;
    }
    const names = place.titles.map((name) => clipText(name, MAX_TITLE_CHARS));
    const headingPath = names[0] === rootTitle && !top ? names : [rootTitle, ...names];
    const parent = place.parent && `${path}#${place.parent}`;
    const { anchor, slugPath } = place;
    const { level, line } = block;
    groups.push({ id: `${path}#${slugPath}`, headingPath, anchor, level, line, parent, blocks: [...full] });
  }
  return groups;
}

function longTitle({ title, line }: HeadingBlock): readonly BodyBlock[] {
  return title.length > MAX_TITLE_CHARS ? [{ kind: 'text', text: title, line }] : [];
}

function toParts({ id, headingPath, anchor, level, blocks }: HeadingBlocks): Omit<SplitSection, 'ordinal'>[] {
  const shared = { title: headingPath.at(-1) ?? '', headingPath, anchor, level };
  return splitSection(blocks).map(({ text, page }, index) => ({
    id: partId(id, index + 1),
    ...shared,
    // The page of a heading can be the one before its text.
    anchor: page === undefined ? anchor : pageAnchor(page),
    text,
  }));
}

function partId(id: string, part: number): string {
  if (part === 1) return boundId(id);
  return boundId(`${id}${id.includes('#') ? '/' : '#'}_part-${part}`);
}

/** True when a section is a further part of the section before, with the same heading. */
export function isContinuation(section: Section, before: Section | undefined): boolean {
  if (before?.headingPath.join('\n') !== section.headingPath.join('\n')) return false;
  // The parts of a section can be on different pages.
  return before.anchor === section.anchor || /\/_part-\d+$/.test(section.id);
}
