import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { type BodyStyle, isItem } from './text-blocks.js';
import { hasCells, lineText, type PageLine } from './text-lines.js';

/** An entry of the outline (bookmarks). */
export interface Bookmark {
  readonly title: string;
  /** From 1. */
  readonly level: number;
  /** From 1. */
  readonly page: number;
  /** Of its place, from the bottom of the page. */
  readonly bottom: number | null;
}

export interface Heading {
  readonly title: string;
  readonly level: number;
  readonly page: number;
  /** The lines that it consists of; one line, which it precedes, if the page does not show it. */
  readonly lines: readonly PageLine[];
  readonly isShown: boolean;
}

const MAX_ENTRIES = 5_000;
const MAX_LEVEL = 5;
const MAX_TITLE_CHARS = 200;

type OutlineNode = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];

/** Reads the outline of a document; [] without one. */
export async function readOutline(document: PDFDocumentProxy): Promise<Bookmark[]> {
  const entries: Bookmark[] = [];
  const read = async (nodes: readonly OutlineNode[], level: number): Promise<void> => {
    for (const { title, dest, items } of nodes) {
      if (entries.length >= MAX_ENTRIES) return;
      const found = title.trim() === '' ? null : await targetPlace(document, dest);
      if (found) entries.push({ title: title.replace(/\s+/g, ' ').trim(), level, ...found });
      if (level < MAX_LEVEL && Array.isArray(items)) await read(items, level + 1);
    }
  };
  const nodes: readonly OutlineNode[] | null = await document.getOutline();
  await read(nodes ?? [], 1);
  return entries;
}

async function targetPlace(
  document: PDFDocumentProxy,
  dest: OutlineNode['dest'],
): Promise<Pick<Bookmark, 'page' | 'bottom'> | null> {
  try {
    const place: unknown = typeof dest === 'string' ? await document.getDestination(dest) : dest;
    if (!Array.isArray(place)) return null;
    const [target, kind, first, second]: readonly unknown[] = place;
    const index = typeof target === 'number' ? target : await pageIndex(document, target);
    const name = typeof kind === 'object' && kind !== null && 'name' in kind ? kind.name : '';
    const bottom = name === 'XYZ' ? second : name === 'FitH' ? first : null;
    return { page: index + 1, bottom: typeof bottom === 'number' ? bottom : null };
  } catch {
    // An entry that leads nowhere is no heading.
    return null;
  }
}

async function pageIndex(document: PDFDocumentProxy, target: unknown): Promise<number> {
  if (typeof target !== 'object' || target === null || !('num' in target) || !('gen' in target))
    throw new Error('no page');
  return document.getPageIndex({ num: Number(target.num), gen: Number(target.gen) });
}

const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const MAX_LINES = 4;
/** The numbering that can stand before the title of a heading. */
const NUMBERING = /^(?:chapter|appendix|part|section|annex|kapitel|chapitre)?[\divxlc]{0,6}[a-z]?$/;

const isTitle = (text: string, title: string): boolean =>
  text === title ||
  (text.endsWith(title) && NUMBERING.test(text.slice(0, -title.length))) ||
  (title.endsWith(text) && text.length > 3 && NUMBERING.test(title.slice(0, -text.length)));

/** Finds the lines of an entry on its page. */
function matchEntry(
  entry: Bookmark,
  lines: readonly PageLine[],
  taken: ReadonlySet<PageLine>,
): PageLine[] | null {
  const title = plain(entry.title);
  if (title === '') return null;
  for (const [at] of lines.entries()) {
    const found: PageLine[] = [];
    let text = '';
    for (const line of lines.slice(at, at + MAX_LINES)) {
      if (taken.has(line)) break;
      found.push(line);
      text += plain(lineText(line));
      if (isTitle(text, title)) return found;
      if (text.length > title.length + 30) break;
    }
  }
  return null;
}

/** Makes headings of the entries of an outline. An entry that its page does not show is put before the text at its place. */
function outlineHeadings(
  entries: readonly Bookmark[],
  lines: readonly PageLine[],
  heights: ReadonlyMap<number, number>,
): Heading[] {
  const pages = new Map<number, PageLine[]>();
  for (const line of lines) pages.set(line.page, [...(pages.get(line.page) ?? []), line]);
  const taken = new Set<PageLine>();
  return entries.flatMap((entry): Heading[] => {
    const { title, level, page, bottom } = entry;
    const onPage = pages.get(page) ?? [];
    const top = bottom === null ? 0 : (heights.get(page) ?? 0) - bottom;
    const below = onPage.filter(({ y }) => y > top - 5);
    const found = matchEntry(entry, below, taken) ?? matchEntry(entry, onPage, taken);
    if (found) {
      for (const line of found) taken.add(line);
      return [{ title: linesText(found), level, page, lines: found, isShown: true }];
    }
    const next = below.find((line) => !taken.has(line)) ?? pages.get(page + 1)?.[0];
    return next ? [{ title, level, page, lines: [next], isShown: false }] : [];
  });
}

const linesText = (lines: readonly PageLine[]): string =>
  lines.map(lineText).join(' ').replace(/\s+/g, ' ').trim();

const styleKey = ({ size, isBold }: PageLine): string => `${Math.round(size * 2) / 2} ${isBold}`;

/** Lines in one style that can be a heading. */
interface Candidate {
  readonly text: string;
  readonly lines: readonly PageLine[];
  readonly style: string;
  readonly size: number;
  readonly isBold: boolean;
  /** The depth of its number, such as 2 for 3.1; 0 without one. */
  readonly depth: number;
}

const BIGGER = 1.12;
const MAX_BOLD_CHARS = 120;

/** Text in the style of headings: bigger than most, or bold in a paragraph of its own. */
function findCandidates(lines: readonly PageLine[], body: BodyStyle): Candidate[] {
  const groups: PageLine[][] = [];
  for (const line of lines) {
    const last = groups.at(-1)?.at(-1);
    if (last && isSameHeading(last, line)) groups.at(-1)?.push(line);
    else groups.push([line]);
  }
  const found = groups.flatMap((group): Candidate[] => {
    const [first] = group;
    const text = linesText(group);
    if (!first || !canBeTitle(first, text) || group.length > MAX_LINES) return [];
    const isBig = first.size >= BIGGER * body.size;
    const isStrong =
      first.isBold && !body.isBold && first.size >= 0.95 * body.size && text.length <= MAX_BOLD_CHARS;
    if (!isBig && !(isStrong && !SENTENCE.test(text) && !isItem(first) && !group.some(hasCells))) return [];
    const depth = /^(\d{1,3}(?:\.\d{1,3}){0,5})\.?\s/.exec(text)?.[1]?.split('.').length ?? 0;
    return [{ text, lines: group, style: styleKey(first), size: first.size, isBold: first.isBold, depth }];
  });
  const strong = found.filter(({ size }) => size < BIGGER * body.size);
  // In a document that is bold all over, bold lines are no headings.
  return strong.length > MAX_SHARE * lines.length ? found.filter((one) => !strong.includes(one)) : found;
}

const MAX_SHARE = 0.15;
const SENTENCE = /[.,;:]$/;

const isSameHeading = (last: PageLine, line: PageLine): boolean =>
  styleKey(last) === styleKey(line) &&
  last.page === line.page &&
  last.column === line.column &&
  line.y - last.y > 0 &&
  line.y - last.y < 1.7 * line.size;

const canBeTitle = ({ isMono, isEntry, words }: PageLine, text: string): boolean =>
  text.length <= MAX_TITLE_CHARS && /\p{L}{2}/u.test(text) && !isMono && !isEntry && words[0]?.turns === 0;

/** The levels of the styles of headings, from 1. */
function styleLevels(found: readonly Candidate[], known: readonly Heading[]): ReadonlyMap<string, number> {
  const votes = new Map<string, number[]>();
  const vote = (style: string, level: number): unknown =>
    votes.set(style, [...(votes.get(style) ?? []), level]);
  for (const { isShown, lines, level } of known) if (isShown && lines[0]) vote(styleKey(lines[0]), level);
  for (const { style, depth } of found) if (depth > 0 && known.length === 0) vote(style, depth);
  const levels = new Map<string, number>();
  for (const [style, all] of votes) levels.set(style, findMostCommon(all));
  const styles = new Map(found.map((one) => [one.style, one]));
  const ranked = [...styles.values()].sort((a, b) => b.size - a.size || Number(b.isBold) - Number(a.isBold));
  let level = 0;
  for (const { style } of ranked) {
    level = levels.get(style) ?? Math.min(level + 1, MAX_LEVEL);
    levels.set(style, level);
  }
  return levels;
}

function findMostCommon(numbers: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const one of numbers) counts.set(one, (counts.get(one) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0]?.[0] ?? 1;
}

/** The title of a document: its largest text on the first page. */
function findTitle(found: readonly Candidate[], body: BodyStyle): Candidate | undefined {
  const first = found[0]?.lines[0]?.page;
  const onFirst = found.filter(({ lines }) => lines[0]?.page === first && first !== undefined && first <= 2);
  const largest = onFirst.reduce((most, { size }) => Math.max(most, size), 0);
  const title = onFirst.find(({ size }) => size === largest);
  const isAlone = title && found.filter(({ style }) => style === title.style).length <= 2;
  return isAlone && largest >= BIGGER * body.size ? title : undefined;
}

/** The structure of a document. */
export interface Outline {
  /** In the order of reading. */
  readonly headings: readonly Heading[];
  /** The title that its first page shows. */
  readonly title: Heading | null;
}

/** Finds the headings of a document: by its outline, and by the style of text. */
export function findHeadings(
  lines: readonly PageLine[],
  entries: readonly Bookmark[],
  { body, heights }: { readonly body: BodyStyle; readonly heights: ReadonlyMap<number, number> },
): Outline {
  const known = outlineHeadings(entries, lines, heights);
  const taken = new Set(known.flatMap((heading) => (heading.isShown ? heading.lines : [])));
  const found = findCandidates(
    lines.filter(({ table }) => !table),
    body,
  ).filter((one) => !one.lines.some((line) => taken.has(line)));
  const title = findTitle(found, body);
  const others = found.filter((one) => one !== title);
  const levels = styleLevels(others, known);
  const isTrusted = known.length >= MIN_OUTLINE;
  const deepest = known.reduce((most, { level }) => Math.max(most, level), 0);
  const added = others.flatMap(({ text, style, depth, lines: shown }): Heading[] => {
    const level = (!isTrusted && depth > 0 ? depth : levels.get(style)) ?? 1;
    // Large text that the outline does not name, such as that of a title page, is no chapter.
    if (isTrusted && level <= deepest && !known.some((one) => one.level === level && hasStyle(one, style)))
      return [];
    const page = shown[0]?.page ?? 1;
    return [{ title: text, level: Math.min(level, MAX_LEVEL), page, lines: shown, isShown: true }];
  });
  return {
    headings: [...known, ...added],
    title: title ? { title: title.text, level: 0, page: 1, lines: title.lines, isShown: true } : null,
  };
}

const hasStyle = ({ lines, isShown }: Heading, style: string): boolean =>
  isShown && lines[0] !== undefined && styleKey(lines[0]) === style;

/** An outline of so many entries names all chapters. */
const MIN_OUTLINE = 3;
