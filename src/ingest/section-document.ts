import GithubSlugger from 'github-slugger';
import type { Section } from '../kb/section.js';
import { clipText } from '../text/clip-text.js';
import { titleHeading } from './document-title.js';
import { headingPlaces } from './heading-places.js';
import type { BodyBlock, HeadingBlock, ParsedDocument } from './parsed-document.js';
import { boundId, encodePath } from './section-id.js';
import { splitSection, type TextPiece } from './split-section.js';

/** A longer heading is clipped, and opens its section's text in full. */
const MAX_TITLE_CHARS = 200;

/** A heading, or the start of the document, and what stands below it up to the next one. */
interface Stretch {
  readonly id: string;
  readonly headingPath: readonly string[];
  readonly anchor: string | null;
  readonly blocks: TextPiece[];
}

/**
 * Cuts a document into its sections.
 * @param path  relative to the indexed folder, with forward slashes, not encoded
 * @param title  of the document; stands for the title heading where there is none
 * @returns in reading order, ids unique; [] for a document without text
 */
export function sectionDocument(path: string, document: ParsedDocument, title: string): Section[] {
  const stretches = cutAtHeadings(encodePath(path), document, title);
  return stretches.flatMap(toParts).map((section, ordinal) => ({ ...section, ordinal }));
}

function cutAtHeadings(path: string, { blocks }: ParsedDocument, title: string): readonly Stretch[] {
  const top = titleHeading(blocks);
  const places = headingPlaces(blocks, top);
  const rootTitle = clipText(top?.title ?? title, MAX_TITLE_CHARS);
  const id = places.size > 0 ? `${path}#_preamble` : path;
  const anchor = top ? (top.anchor ?? GithubSlugger.slug(top.title)) : null;
  const stretches: Stretch[] = [{ id, headingPath: [rootTitle], anchor, blocks: [] }];
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
    stretches.push({ id: `${path}#${place.slugPath}`, headingPath, anchor: place.anchor, blocks: [...full] });
  }
  return stretches;
}

function longTitle({ title, line }: HeadingBlock): readonly BodyBlock[] {
  return title.length > MAX_TITLE_CHARS ? [{ kind: 'text', text: title, line }] : [];
}

function toParts({ id, headingPath, anchor, blocks }: Stretch): Omit<Section, 'ordinal'>[] {
  const title = headingPath.at(-1) ?? '';
  return splitSection(blocks).map((text, index) => ({
    id: partId(id, index + 1),
    title,
    headingPath,
    anchor,
    text,
  }));
}

function partId(id: string, part: number): string {
  if (part === 1) return boundId(id);
  return boundId(`${id}${id.includes('#') ? '/' : '#'}_part-${part}`);
}
