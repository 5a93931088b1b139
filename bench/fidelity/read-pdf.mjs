import { spawnSync } from 'node:child_process';

/** Heights of lines at the top and at the bottom of a page that can be a header or a footer. */
const EDGE_LINES = 3;
/** Places of a line on two pages differ by less (points). */
const SAME_PLACE = 5;

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text) => text.replace(/&(amp|lt|gt|quot|apos);/g, (_, name) => ENTITIES[name]);

/**
 * A PDF as pdftotext reads it.
 * @returns `text` with each running line once, `repeats` with the others; null if the file has no text
 */
export function readPdf(file) {
  const run = spawnSync('pdftotext', ['-bbox-layout', '-enc', 'UTF-8', file, '-'], {
    encoding: 'utf8',
    maxBuffer: 1 << 29,
    timeout: 120_000,
  });
  if (run.status !== 0) return null;
  const pages = run.stdout.split('<page ').slice(1).map(readLines);
  const repeats = findRepeats(pages);
  const lines = pages.flat();
  const text = joined(lines.filter((line) => !repeats.has(line)));
  if (text.trim() === '') return null;
  return { text, repeats: joined([...repeats]), headings: [], cells: [] };
}

/** The lines of a page; `isLast` in their block. */
const readLines = (page) =>
  page.split('<block ').flatMap((block) => {
    const lines = [...block.matchAll(/<line xMin="[^"]*" yMin="([^"]*)"[^>]*>(.*?)<\/line>/gs)];
    return lines.map(([, y, words], at) => ({
      y: Number(y),
      text: [...words.matchAll(/<word [^>]*>(.*?)<\/word>/gs)].map(([, word]) => decoded(word)).join(' '),
      isLast: at === lines.length - 1,
    }));
  });

/** Puts words together that lines of a block divide, as pdftotext does in plain text. */
const joined = (lines) =>
  lines
    .map(({ text, isLast }) => (!isLast && /\p{L}[-\u2010]$/u.test(text) ? text.slice(0, -1) : `${text}\n`))
    .join('');

/** A line without numbers, which differ in running lines. */
const shape = (text) =>
  text
    .toLowerCase()
    .replace(/\d+|\b[ivxl]+\b/g, '#')
    .replace(/\s+/g, ' ');
const letters = (text) => shape(text).replace(/[^\p{L}]/gu, '');

/** Heights without those that are nearly the same: a header can have a left, a middle and a right part. */
const distinct = (heights) =>
  heights.sort((a, b) => a - b).filter((height, at, all) => at === 0 || height - all[at - 1] >= SAME_PLACE);

/**
 * Running lines are at the top or the bottom of two or more pages, at the same place, the same but for numbers. Each is counted
 * once: at its first page, or where it stands as a line of its own, such as a heading. Numbers alone are not counted.
 */
function findRepeats(pages) {
  const edges = pages.map((lines) => {
    const heights = distinct(lines.map(({ y }) => y));
    const [top, bottom] = [heights[EDGE_LINES - 1] ?? Infinity, heights.at(-EDGE_LINES) ?? -Infinity];
    return new Set(lines.filter(({ y }) => y < top + SAME_PLACE || y > bottom - SAME_PLACE));
  });
  const groups = new Map();
  for (const line of edges.flatMap((set) => [...set])) {
    const places = groups.get(shape(line.text)) ?? [];
    const place = places.find(([other]) => Math.abs(other.y - line.y) < SAME_PLACE);
    if (place) place.push(line);
    else places.push([line]);
    groups.set(shape(line.text), places);
  }
  const running = [...groups.values()].flat().filter(({ length }) => length > 1);
  const all = new Set(running.flat());
  const others = new Set(
    pages.flatMap((lines) => lines.filter((line) => !all.has(line))).map(({ text }) => letters(text)),
  );
  const isElsewhere = ({ text }) => /^[^\p{L}#]*#[^\p{L}#]*$/u.test(shape(text)) || others.has(letters(text));
  return new Set(running.flatMap((group) => (isElsewhere(group[0]) ? group : group.slice(1))));
}
