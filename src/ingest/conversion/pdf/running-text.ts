import { lineText, type PageLine } from './text-lines.js';

/** The lines of one page with its height. */
export interface PageLines {
  readonly number: number;
  readonly height: number;
  readonly lines: readonly PageLine[];
}

/** Headers and footers lie in this share of the height at the top and at the bottom. */
const EDGE = 0.14;
/** Lines at the top and at the bottom of a page that can be one. */
const EDGE_LINES = 3;
/** Pages before and after a page on which its header is looked for. Left and right pages have different ones. */
const NEAR_PAGES = 4;
/** Places of a header on two pages differ by less (points). */
const SAME_PLACE = 4;

interface EdgeLine {
  readonly line: PageLine;
  readonly page: number;
  /** Its text without numbers. */
  readonly key: string;
  /** Numbers at its start and end less that of the page. */
  readonly offsets: readonly number[];
}

const ROMAN = /^[ivxlc]+$/i;

function edgeLine(line: PageLine, page: number): EdgeLine {
  const text = lineText(line);
  const key = ROMAN.test(text) ? '#' : text.replace(/\d+/g, '#').toLowerCase();
  const numbers = [/^\d{1,4}(?=\s|$)/.exec(text)?.[0], /(?:^|\s)(\d{1,4})$/.exec(text)?.[1]];
  return {
    ...{ line, page, key },
    offsets: numbers.flatMap((found) => (found === undefined ? [] : [Number(found) - page])),
  };
}

function edgeLines({ lines, height, number }: PageLines): EdgeLine[] {
  const isShort = ({ table }: PageLine): boolean => (table?.length ?? 1) <= EDGE_LINES;
  const upright = lines
    .filter((line) => line.words[0]?.turns === 0 && isShort(line))
    .sort((a, b) => a.y - b.y);
  const top = upright.slice(0, EDGE_LINES).filter(({ y }) => y < EDGE * height);
  const bottom = upright.slice(-EDGE_LINES).filter(({ y }) => y > (1 - EDGE) * height);
  return [...top, ...bottom].map((line) => edgeLine(line, number));
}

/**
 * Removes numbers of pages, and repeats of headers and footers. The first of each becomes a running line at the end of its page,
 * unless a line of the text has its words.
 * @returns the pages with their text and these running lines, and how many pages had headers, footers or numbers
 */
export function withRunningTextOnce(pages: readonly PageLines[]): {
  readonly pages: readonly PageLines[];
  readonly count: number;
} {
  const edges = new Map(pages.map((page) => [page.number, edgeLines(page)]));
  const offset = commonOffset([...edges.values()].flat());
  const needed = pages.length > 3 ? 2 : 1;
  const isRunning = (found: EdgeLine): boolean => {
    if (offset !== null && found.offsets.includes(offset)) return true;
    return countNear(found, edges) >= needed;
  };
  const parts = pages.map((page) => {
    const running = new Set((edges.get(page.number) ?? []).filter(isRunning).map(({ line }) => line));
    for (const line of page.lines) if (isArtifact(line, page)) running.add(line);
    return { page, running, text: page.lines.filter((line) => !running.has(line)) };
  });
  const known = new Set(['', ...parts.flatMap(({ text }) => linesWords(text))]);
  const kept = parts.map(({ page, running, text }) => {
    const first = [...running].filter((line) => {
      const words = wordsOnly(line);
      return !known.has(words) && known.add(words);
    });
    return { ...page, lines: [...text, ...first.map((line) => ({ ...line, isRunning: true }))] };
  });
  return { pages: kept, count: parts.filter(({ running }) => running.size > 0).length };
}

/** The words of each line, and of each two, such as those of a long heading. */
const linesWords = (lines: readonly PageLine[]): string[] =>
  lines.map(wordsOnly).flatMap((words, at, all) => [words, words + (all[at + 1] ?? '')]);

/** Words that stand with the number of a page, in the languages of most documents. */
const PAGE_WORDS = new Set([
  'page',
  'pages',
  'p',
  'pg',
  'seite',
  'sida',
  'side',
  'página',
  'pagina',
  'of',
  'von',
  'de',
  'sur',
  'di',
]);

/** The letters of a line, or its text if it is a date or a version; '' for one that is the number of a page. */
function wordsOnly(line: PageLine): string {
  const text = lineText(line).toLowerCase();
  const words = ROMAN.test(text) ? [] : (text.match(/[\p{L}\p{M}]+/gu) ?? []);
  if (words.length === 0 && /\d[^\d]+\d+[^\d]+\d/.test(text)) return text;
  return words.every((word) => PAGE_WORDS.has(word)) ? '' : words.join('');
}

/** True for a line at an edge that the file marks as no part of its text. */
const isArtifact = ({ words, y }: PageLine, { height }: PageLines): boolean =>
  words.every((word) => word.isArtifact) && (y < EDGE * height || y > (1 - EDGE) * height);

/** The number of pages nearby with the same text at the same place. */
function countNear({ key, line, page }: EdgeLine, edges: ReadonlyMap<number, readonly EdgeLine[]>): number {
  let count = 0;
  for (let near = page - NEAR_PAGES; near <= page + NEAR_PAGES; near++) {
    const others = near === page ? [] : (edges.get(near) ?? []);
    const isSame = (other: EdgeLine): boolean =>
      other.key === key && Math.abs(other.line.y - line.y) < SAME_PLACE;
    if (others.some(isSame)) count++;
  }
  return count;
}

/** The difference between printed and real page numbers on most pages; null if pages show no number. */
function commonOffset(lines: readonly EdgeLine[]): number | null {
  const pages = new Map<number, Set<number>>();
  for (const { offsets, page } of lines)
    for (const offset of offsets) pages.set(offset, (pages.get(offset) ?? new Set()).add(page));
  const [best] = [...pages].sort((a, b) => b[1].size - a[1].size);
  return best && best[1].size >= MIN_NUMBERED ? best[0] : null;
}

const MIN_NUMBERED = 5;
