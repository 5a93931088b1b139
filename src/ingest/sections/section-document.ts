import GithubSlugger from 'github-slugger';
import type { Section } from '../../core/section.js';
import { clipText } from '../../text/clip-text.js';
import type { FoundAnchor, FoundHeading, FoundLink } from '../../core/indexed-document.js';
import { titleHeading } from '../reading/document-title.js';
import { headingPlaces } from '../reading/heading-places.js';
import type { BodyBlock, HeadingBlock, ParsedDocument } from '../reading/parsed-document.js';
import { boundId, encodePath } from '../../core/section-id.js';
import { splitSection, type TextPiece } from './split-section.js';

/** A longer heading is clipped, and opens its section's text in full. */
const MAX_TITLE_CHARS = 200;

/** A heading, or the start of the document, and what stands below it up to the next one. */
interface Stretch {
  readonly id: string;
  readonly headingPath: readonly string[];
  readonly anchor: string | null;
  readonly level: number;
  /** Of the heading in the file; 0 for the start of the document. */
  readonly line: number;
  /** Id of the heading above. */
  readonly parent: string | null;
  readonly blocks: TextPiece[];
}

/** A document's sections, and the headings above them. */
export interface CutDocument {
  /** In reading order, ids unique; [] for a document without text. */
  readonly sections: readonly Section[];
  /** Each with the ordinals of its sections; the start of a document that has no text there is left out. */
  readonly headings: readonly FoundHeading[];
  /** The links of tags, each with the ordinal of the section that it stands in. */
  readonly tagLinks: readonly Pick<FoundLink, 'section' | 'href'>[];
  readonly anchors: readonly FoundAnchor[];
}

/**
 * Cuts a document into its sections.
 * @param path  relative to the indexed folder, with forward slashes, not encoded
 * @param title  of the document; stands for the title heading where there is none
 */
export function sectionDocument(path: string, document: ParsedDocument, title: string): CutDocument {
  const sections: Section[] = [];
  const headings: FoundHeading[] = [];
  const lines: number[] = [];
  const headingLines: HeadingLine[] = [];
  for (const [at, stretch] of cutAtHeadings(encodePath(path), document, title).entries()) {
    const parts = toParts(stretch).map((part, i) => ({ ...part, ordinal: sections.length + i }));
    sections.push(...parts);
    lines.push(...parts.map(() => stretch.line));
    if (at === 0 && parts.length === 0) continue;
    headings.push(toHeading(stretch, parts));
    headingLines.push({ id: boundId(stretch.id), line: stretch.line });
  }
  const tagLinks = document.tagLinks.flatMap(({ href, line }) => {
    // The first part of a section that was too long for one: where the others begin is not known any more.
    const start = lines.findLast((own) => own <= line);
    return start === undefined ? [] : [{ section: lines.indexOf(start), href }];
  });
  return { sections, headings, tagLinks, anchors: anchorsOf(document, headingLines) };
}

/** Where a heading begins in the file. */
interface HeadingLine {
  readonly id: string;
  readonly line: number;
}

/** Of equal names the first counts, as in browsers. */
function anchorsOf({ anchors }: ParsedDocument, headings: readonly HeadingLine[]): FoundAnchor[] {
  const found = new Map<string, string | null>();
  let next = 0;
  for (const { name, line } of [...anchors].sort((a, b) => a.line - b.line)) {
    while ((headings[next]?.line ?? Infinity) <= line) next++;
    if (!found.has(name)) found.set(name, headings[next - 1]?.id ?? null);
  }
  return Array.from(found, ([name, heading]) => ({ name, heading }));
}

function toHeading(stretch: Stretch, parts: readonly Section[]): FoundHeading {
  const { id, headingPath, level, anchor, parent } = stretch;
  const title = headingPath.at(-1) ?? '';
  const sections = parts.map(({ ordinal }) => ordinal);
  return { id: boundId(id), title, level, anchor, parent: parent && boundId(parent), sections };
}

function cutAtHeadings(path: string, { blocks }: ParsedDocument, title: string): readonly Stretch[] {
  const top = titleHeading(blocks);
  const places = headingPlaces(blocks, top);
  const rootTitle = clipText(top?.title ?? title, MAX_TITLE_CHARS);
  const id = places.size > 0 ? `${path}#_preamble` : path;
  const anchor = top ? (top.anchor ?? GithubSlugger.slug(top.title)) : null;
  const start = { id, headingPath: [rootTitle], anchor, level: 1, line: 0, parent: null, blocks: [] };
  const stretches: Stretch[] = [start];
  for (const block of blocks) {
    if (block.kind !== 'heading') {
      stretches.at(-1)?.blocks.push(block);
      continue;
    }
    const place = places.get(block);
    const full = longTitle(block);
    if (!place) {
      stretches.at(-1)?.blocks.push(...full);
      continue;
    }
    const names = place.titles.map((name) => clipText(name, MAX_TITLE_CHARS));
    const headingPath = names[0] === rootTitle && !top ? names : [rootTitle, ...names];
    const parent = place.parent && `${path}#${place.parent}`;
    const { anchor, slugPath } = place;
    const { level, line } = block;
    stretches.push({
      id: `${path}#${slugPath}`,
      headingPath,
      anchor,
      level,
      line,
      parent,
      blocks: [...full],
    });
  }
  return stretches;
}

function longTitle({ title, line }: HeadingBlock): readonly BodyBlock[] {
  return title.length > MAX_TITLE_CHARS ? [{ kind: 'text', text: title, line }] : [];
}

function toParts({ id, headingPath, anchor, level, blocks }: Stretch): Omit<Section, 'ordinal'>[] {
  const title = headingPath.at(-1) ?? '';
  return splitSection(blocks).map((text, index) => ({
    id: partId(id, index + 1),
    title,
    headingPath,
    anchor,
    level,
    text,
  }));
}

function partId(id: string, part: number): string {
  if (part === 1) return boundId(id);
  return boundId(`${id}${id.includes('#') ? '/' : '#'}_part-${part}`);
}
