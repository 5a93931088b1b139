import type { Span } from '../../text/span.js';

const KINDS = 'links?|topics?|content|reading|resources?|articles?|pages?|sections?|documentation';
const WORDS = `see also|related (?:${KINDS})|further reading|next steps?|learn more`;
const TITLE = new RegExp(`^(?:${WORDS}|related)$`);
const MENTION = new RegExp(`${WORDS}|related`, 'i');
// Many sentences begin with "Related", so a colon must follow it.
const OPENING = new RegExp(`^[*_]{0,3}(?:(?:${WORDS})(?![\\p{L}\\p{N}])|related[*_]{0,3}:)`, 'iu');
const WHOLE = new RegExp(`^[*_]{0,3}(?:${WORDS}|related)[*_:]{0,6}$`, 'i');
const LINE = /^([ \t>]*)((?:[-*+]|\d{1,9}[.)])[ \t]+)?(.*)$/;

/** True for a heading such as "See also" or "Related topics". */
export function isSeeAlsoTitle(title: string): boolean {
  return TITLE.test(
    title
      .toLowerCase()
      .replace(/^[^\p{L}]+/u, '')
      .replace(/\P{L}+$/u, ''),
  );
}

/** Finds paragraphs and list items that begin with "See also", and the lists after them; one span per line. */
export function seeAlsoLines(text: string): readonly Span[] {
  if (!MENTION.test(text)) return [];
  const lines: Span[] = [];
  let start = 0;
  const scan = new SeeAlsoScan();
  for (const line of text.split('\n')) {
    const end = start + line.length;
    if (scan.isRelated(line)) lines.push({ start, end });
    start = end + 1;
  }
  return lines;
}

class SeeAlsoScan {
  private isBlank = true;
  private isOpen = false;
  /** Lowest column of the list items after a "See also" line; null if there is no such line. */
  private column: number | null = null;

  isRelated(line: string): boolean {
    const [, { length: indent } = '', marker, rest = ''] = LINE.exec(line) ?? [];
    const words = rest.trim();
    if (words === '') {
      this.isBlank = true;
      return false;
    }
    if (marker !== undefined) this.begin(words, this.column !== null && indent >= this.column);
    else if (this.isBlank || WHOLE.test(words))
      this.begin(words, this.column !== null && indent > this.column);
    this.isBlank = false;
    if (this.isOpen && (WHOLE.test(words) || /:[*_]{0,3}$/.test(words))) {
      this.column ??= marker === undefined ? indent : indent + 1;
    }
    return this.isOpen;
  }

  private begin(words: string, isIntroduced: boolean): void {
    if (!isIntroduced) this.column = null;
    this.isOpen = isIntroduced || OPENING.test(words) || WHOLE.test(words);
  }
}
