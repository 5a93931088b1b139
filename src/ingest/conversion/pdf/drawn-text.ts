import { type Rule, rulesFrom } from './drawn-rules.js';
import { type Font, type FontStyle, PLAIN } from './fonts.js';
import { IDENTITY, type Matrix, multiplied, type PagePoint, place, turned } from './matrix.js';

/**
 * Letters without a space between them, in one font. Places are in points, in a frame in which the text of its direction runs
 * to the right: `x` to the right, `y` down.
 */
export interface Word {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  /** Of the baseline. */
  readonly y: number;
  readonly size: number;
  readonly font: FontStyle;
  /** Turns of 90° clockwise of its direction. */
  readonly turns: number;
  /** True if a space is written before it. */
  readonly isSpaced: boolean;
  /** True for what the file marks as no part of its text, such as page numbers. */
  readonly isArtifact: boolean;
  readonly href?: string;
}

/** The part of the graphics state that concerns text. */
interface TextState {
  readonly ctm: Matrix;
  readonly font: Font;
  readonly size: number;
  readonly charSpacing: number;
  readonly wordSpacing: number;
  readonly scale: number;
  readonly leading: number;
  readonly rise: number;
}

/** A gap of more than this share of the size is a space. */
export const SPACE_GAP = 0.1;
/** A letter that begins so far before the end of the last one (share of the size) is not its neighbour. */
export const MAX_OVERLAP = 0.6;

/** Accents that TeX prints over a letter, with the characters that combine. */
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ '´': '\u0301', '`': '\u0300', '¨': '\u0308', ˆ: '\u0302', '˜': '\u0303', ˇ: '\u030c' },
  ...{ '˘': '\u0306', '¯': '\u0304', '˙': '\u0307', '˚': '\u030a', '˝': '\u030b', '¸': '\u0327' },
};
const LIGATURE = /[\ufb00-\ufb06]/;
/** Bullets of Symbol and Wingdings fonts. */
const SYMBOL_BULLET = /^[\uf06c\uf06e\uf071\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc]$/;
const UNKNOWN = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;

interface PlacedGlyph {
  readonly text: string;
  readonly at: PagePoint;
  readonly advance: number;
}

interface OpenWord {
  text: string;
  readonly x0: number;
  x1: number;
  /** Where its last letter begins. */
  lastX: number;
  readonly y: number;
  readonly size: number;
  readonly font: Font;
  readonly turns: number;
  readonly isSpaced: boolean;
}

/** Collects the words and rules of a page from its drawing operations. */
export class PageReader {
  readonly words: Word[] = [];
  readonly rules: Rule[] = [];
  unknown = 0;
  /** Area of the largest unit square (square points). */
  largest = 0;
  private state: TextState;
  private readonly stack: TextState[] = [];
  private matrix: Matrix = IDENTITY;
  private lineMatrix: Matrix = IDENTITY;
  private word: OpenWord | null = null;
  private isSpaced = true;
  private readonly marks: boolean[] = [];
  private annotations = 0;

  constructor(private readonly base: Matrix) {
    this.state = {
      ...{ ctm: base, font: PLAIN, size: 1, charSpacing: 0, wordSpacing: 0, scale: 1, leading: 0, rise: 0 },
    };
  }

  set(changed: Partial<TextState>): void {
    this.state = { ...this.state, ...changed };
  }

  save(): void {
    if (this.stack.length < MAX_DEPTH) this.stack.push(this.state);
  }

  restore(): void {
    this.state = this.stack.pop() ?? this.state;
  }

  transform(by: Matrix): void {
    const ctm = multiplied(this.state.ctm, by);
    this.set({ ctm });
    // Pictures are one unit wide and high.
    this.largest = Math.max(this.largest, Math.abs(ctm[0] * ctm[3] - ctm[1] * ctm[2]));
  }

  beginAnnotation(...by: readonly Matrix[]): void {
    this.save();
    this.annotations++;
    this.set({ ctm: by.reduce(multiplied, this.base) });
  }

  endAnnotation(): void {
    this.annotations--;
    this.restore();
  }

  mark(isArtifact: boolean): void {
    this.endWord();
    this.marks.push(isArtifact);
  }

  endMark(): void {
    this.endWord();
    this.marks.pop();
  }

  moveTo(matrix: Matrix): void {
    this.matrix = this.lineMatrix = matrix;
  }

  move(x: number, y: number): void {
    this.moveTo(multiplied(this.lineMatrix, [1, 0, 0, 1, x, y]));
  }

  nextLine(): void {
    this.move(0, -this.state.leading);
  }

  show(glyphs: readonly unknown[]): void {
    const { size, scale, font, charSpacing, wordSpacing } = this.state;
    let at = 0;
    for (const glyph of glyphs) {
      if (typeof glyph === 'number') {
        at -= (glyph * size) / 1000;
        continue;
      }
      const { text, width, isSpace, height } = readGlyph(glyph);
      const advance = font.isVertical ? height * font.unit * size : width * font.unit * size;
      const step = advance + (font.isVertical ? -1 : 1) * (charSpacing + (isSpace ? wordSpacing : 0));
      const [x, y] = font.isVertical ? [0, at] : [at * scale, 0];
      this.showGlyph({ text, at: [x, y], advance: font.isVertical ? size : advance * scale });
      at += step;
    }
    const moved: Matrix = font.isVertical ? [1, 0, 0, 1, 0, at] : [1, 0, 0, 1, at * scale, 0];
    this.matrix = multiplied(this.matrix, moved);
  }

  private showGlyph({ text, at: [x, y], advance }: PlacedGlyph): void {
    const { ctm, rise, size: fontSize, font } = this.state;
    const m = multiplied(ctm, this.matrix);
    const [px, py] = place(m, x, y + rise);
    const sign = fontSize < 0 ? -1 : 1;
    const size = Math.abs(fontSize) * Math.hypot(m[2], m[3]);
    const turns = quarterTurns(sign * m[0], sign * m[1]);
    const [u, down] = turned([px, py], turns);
    // Lines of mirrored text are below each other in the other direction.
    const v = m[0] * m[3] - m[1] * m[2] > 0 === font.isFlipped ? down : -down;
    const width = Math.abs(advance) * Math.hypot(m[0], m[1]);
    const known = this.known(text);
    if (known.trim() === '') {
      this.endWord();
      // Some programs write spaces of no width within words.
      this.isSpaced ||= text !== '' && width > SPACE_GAP * size;
      return;
    }
    if (!Number.isFinite(u + v + width + size) || size === 0) return;
    const { word } = this;
    if (word && isNext(word, { u, v, size, font, turns })) {
      const accent = ACCENTS[word.text.slice(-1)];
      const isOver = accent !== undefined && u - word.lastX < ACCENT_GAP * size && /^\p{L}/u.test(known);
      word.text = isOver ? word.text.slice(0, -1) + withAccent(known, accent) : word.text + known;
      word.lastX = u;
      word.x1 = Math.max(word.x1, u + width);
      return;
    }
    // The accents of formulas are in another font than their letters, and can be higher.
    const accent =
      word && isAccentOver(word, { u, v, size, turns }) && /^\p{L}/u.test(known) && ACCENTS[word.text];
    if (accent) {
      this.word = { ...word, text: withAccent(known, accent), x1: u + width, lastX: u, y: v, size, font };
      return;
    }
    this.endWord();
    const isSpaced = this.isSpaced;
    this.isSpaced = false;
    this.word = { text: known, x0: u, x1: u + width, lastX: u, y: v, size, font, turns, isSpaced };
  }

  /** The text of a glyph without characters that mean nothing. */
  private known(text: string): string {
    if (SYMBOL_BULLET.test(text)) return '•';
    if (LIGATURE.test(text)) return text.normalize('NFKC');
    if (!UNKNOWN.test(text)) return text;
    this.unknown++;
    return text.replace(new RegExp(UNKNOWN, 'gu'), '');
  }

  endWord(): void {
    const { word } = this;
    if (!word) return;
    this.word = null;
    const { text, x0, x1, y, size, font, turns, isSpaced } = word;
    const isArtifact = this.marks.includes(true);
    this.words.push({ text, x0, x1, y, size, turns, isSpaced, isArtifact, font });
  }

  /** The straight lines of a path. A thin rectangle is one line. */
  path(operations: ArrayLike<unknown>, isFilled: boolean): void {
    const room = MAX_RULES - this.rules.length;
    if (this.annotations > 0 || room <= 0) return;
    this.rules.push(...rulesFrom(operations, isFilled, this.state.ctm).slice(0, room));
  }
}

const MAX_DEPTH = 500;
const MAX_RULES = 20_000;
/** A letter that begins so close to the beginning of an accent (share of the size) is below it. */
const ACCENT_GAP = 0.35;

/** A text with an accent on its first letter. */
function withAccent(text: string, accent: string): string {
  const [letter = ''] = text;
  return (letter + accent + text.slice(letter.length)).normalize('NFC');
}

/** The place of a letter in the frame of its direction, in points. */
interface LetterPlace {
  readonly u: number;
  readonly v: number;
  readonly size: number;
  readonly turns: number;
}

/** True for a word at the place of a letter, or above it. */
const isAccentOver = (word: OpenWord, { u, v, size, turns }: LetterPlace): boolean =>
  word.turns === turns &&
  Math.abs(u - word.lastX) < ACCENT_GAP * size &&
  v - word.y > -0.05 * size &&
  v - word.y < 0.5 * size;

function isNext(word: OpenWord, { u, v, size, font, turns }: LetterPlace & { readonly font: Font }): boolean {
  const gap = u - word.x1;
  return (
    word.font === font &&
    word.turns === turns &&
    Math.abs(word.size - size) < 0.05 * size &&
    Math.abs(word.y - v) < 0.05 * size &&
    gap <= SPACE_GAP * size &&
    gap >= -MAX_OVERLAP * size
  );
}

/** The number of quarter turns that are nearest to a direction, which has `y` down. */
const quarterTurns = (dx: number, dy: number): number =>
  Math.abs(dx) >= Math.abs(dy) ? (dx >= 0 ? 0 : 2) : dy > 0 ? 1 : 3;

interface Glyph {
  readonly text: string;
  readonly width: number;
  /** Of vertical text. */
  readonly height: number;
  readonly isSpace: boolean;
}

const NO_GLYPH: Glyph = { text: '', width: 0, height: 0, isSpace: false };

function readGlyph(glyph: unknown): Glyph {
  if (typeof glyph !== 'object' || glyph === null) return NO_GLYPH;
  const text = 'unicode' in glyph && typeof glyph.unicode === 'string' ? glyph.unicode : '';
  const width = 'width' in glyph && typeof glyph.width === 'number' ? glyph.width : 0;
  const isSpace = 'isSpace' in glyph && glyph.isSpace === true;
  const vertical = 'vmetric' in glyph && Array.isArray(glyph.vmetric) ? Number(glyph.vmetric[0]) : -1000;
  return { text, width, height: vertical, isSpace };
}
