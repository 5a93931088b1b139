import GithubSlugger from 'github-slugger';
import { wholeOffset } from '../../text/span.js';
import type { Block, HeadingBlock } from '../reading/parsed-document.js';

/** Finds the title heading of a document: its only H1, if it is the first heading. */
export function titleHeading(blocks: readonly Block[]): HeadingBlock | null {
  const headings = blocks.filter((block) => block.kind === 'heading');
  const [first] = headings;
  return first?.level === 1 && !headings.some((heading) => heading !== first && heading.level === 1)
    ? first
    : null;
}

/**
 * Finds the title in the headings: the title heading, else a heading at the start of the document. There, one of
 * several headings of a lower level is not the title: `## 5.2`, `## 5.1` are the parts of a page.
 */
export function headingTitle(blocks: readonly Block[]): string | null {
  const own = titleHeading(blocks);
  if (own) return own.title;
  const [first, ...others] = blocks;
  if (first?.kind !== 'heading') return null;
  const isOneOfMany = others.some((block) => block.kind === 'heading' && block.level === first.level);
  return first.level > 1 && isOneOfMany ? null : first.title;
}

/** The title of a page of HTML without the name of its site, if a heading tells where that begins: `Setup | Harbour`. */
export function withoutSiteName(title: string, blocks: readonly Block[]): string {
  const heading = blocks.find(
    (block) =>
      block.kind === 'heading' &&
      block.level === 1 &&
      title.startsWith(block.title) &&
      /^\s+[|·•–—-]\s/.test(title.slice(block.title.length)),
  );
  return heading?.kind === 'heading' ? heading.title : title;
}

const MAX_SLUG_CHARS = 120;

/** The position of a heading in the outline of its document. */
interface HeadingPlace {
  /** Slugs from the first level below the title, joined by `/`; unique within the document. */
  readonly slugPath: string;
  /** Slug path of the parent heading; null directly below the title. */
  readonly parent: string | null;
  /** Titles from the first level below the document title down to its own. */
  readonly titles: readonly string[];
  /** Null if nothing on the page opens the heading. */
  readonly anchor: string | null;
}

/** Gives every heading its place, even without a body. @param top  the title heading; it only counts for anchors */
export function headingPlaces(
  blocks: readonly Block[],
  top: HeadingBlock | null,
): ReadonlyMap<Block, HeadingPlace> {
  const anchors = new GithubSlugger();
  const uniquePath = pathMaker();
  const places = new Map<Block, HeadingPlace>();
  let open: readonly (HeadingPlace & { readonly level: number })[] = [];
  for (const block of blocks) {
    if (block.kind !== 'heading') continue;
    const own = anchors.slug(block.title);
    if (block === top) continue;
    open = open.filter(({ level }) => level < block.level);
    const parent = open.at(-1);
    const slugPath = uniquePath(parent?.slugPath ?? '', block.title);
    const titles = [...(parent?.titles ?? []), block.title];
    const place = {
      slugPath,
      parent: parent?.slugPath ?? null,
      titles,
      anchor: (block.anchor ?? own) || null,
    };
    places.set(block, place);
    open = [...open, { ...place, level: block.level }];
  }
  return places;
}

/** Makes unique paths: `install`, `install-2` …; reserved names count as taken. */
function pathMaker(): (parent: string, title: string) => string {
  const taken = new Set<string>(['_preamble', '_document']);
  const counts = new Map<string, number>();
  return (parent, title) => {
    const slug = slugOf(title);
    const base = parent === '' ? slug : `${parent}/${slug}`;
    const isReserved = /^_(?:part|step)-\d+$/.test(slug);
    let count = counts.get(base) ?? (isReserved ? 2 : 1);
    while (taken.has(numbered(base, count))) count++;
    counts.set(base, count);
    taken.add(numbered(base, count));
    return numbered(base, count);
  };
}

function numbered(base: string, count: number): string {
  return count === 1 ? base : `${base}-${count}`;
}

function slugOf(title: string): string {
  const slug = GithubSlugger.slug(title).normalize('NFC');
  return slug.slice(0, wholeOffset(slug, MAX_SLUG_CHARS)) || '_';
}
