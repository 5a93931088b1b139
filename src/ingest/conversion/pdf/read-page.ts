import { setImmediate } from 'node:timers/promises';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import type { loadPdfLibrary } from './pdf-library.js';

/** How a font looks. */
export interface FontStyle {
  readonly isBold: boolean;
  readonly isItalic: boolean;
  readonly isMono: boolean;
}

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

/** A drawn line that is horizontal or vertical. */
export interface Rule {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

export interface PageContent {
  /** From 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  readonly rules: readonly Rule[];
  /** Number of characters that have no meaning in Unicode. */
  readonly unknown: number;
  /** True for a page with a picture over a large part of it. */
  readonly hasImage: boolean;
}

type Matrix = readonly [number, number, number, number, number, number];
type Point = readonly [number, number];

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];

const multiply = (m: Matrix, n: Matrix): Matrix => [
  m[0] * n[0] + m[2] * n[1],
  m[1] * n[0] + m[3] * n[1],
  m[0] * n[2] + m[2] * n[3],
  m[1] * n[2] + m[3] * n[3],
  m[0] * n[4] + m[2] * n[5] + m[4],
  m[1] * n[4] + m[3] * n[5] + m[5],
];

const place = (m: Matrix, x: number, y: number): Point => [
  m[0] * x + m[2] * y + m[4],
  m[1] * x + m[3] * y + m[5],
];

interface Font extends FontStyle {
  /** Units of a glyph's width in those of the font's size. */
  readonly unit: number;
  readonly isVertical: boolean;
}

/** What the graphics state says about text. */
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

const PLAIN: Font = { isBold: false, isItalic: false, isMono: false, unit: 0.001, isVertical: false };

const BOLD = /bold|black|heavy|demi|CMBX|CMSSBX|SFBX|SFSX|Nimbus\w*-Medi|[-,]Bd/i;
const MONO =
  /mono|courier|typewriter|CMTT|CMSLTT|CMITT|SFTT|ECTT|LMMono|consol|menlo|fixed|inconsolata|lettergothic|source ?code/i;
const ITALIC = /ital|obli|slant|CMTI|CMSL|SFTI/i;

/** A gap of more than this share of the size is a space. */
export const SPACE_GAP = 0.1;
/** A letter that begins so far before the end of the last one (share of the size) is not its neighbour. */
const MAX_OVERLAP = 0.6;

/** Accents that TeX prints over a letter, with the characters that combine. */
const ACCENTS: Readonly<Record<string, string>> = {
  ...{ '´': '\u0301', '`': '\u0300', '¨': '\u0308', ˆ: '\u0302', '˜': '\u0303', ˇ: '\u030c' },
  ...{ '˘': '\u0306', '¯': '\u0304', '˙': '\u0307', '˚': '\u030a', '˝': '\u030b', '¸': '\u0327' },
};
const LIGATURE = /[\ufb00-\ufb06]/;
/** Bullets of Symbol and Wingdings fonts. */
const SYMBOL_BULLET = /^[\uf06c\uf06e\uf071\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc]$/;
const UNKNOWN = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;

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
class PageReader {
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
    const ctm = multiply(this.state.ctm, by);
    this.set({ ctm });
    // Pictures are one unit wide and high.
    this.largest = Math.max(this.largest, Math.abs(ctm[0] * ctm[3] - ctm[1] * ctm[2]));
  }

  beginAnnotation(...by: readonly Matrix[]): void {
    this.save();
    this.annotations++;
    this.set({ ctm: by.reduce(multiply, this.base) });
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
    this.moveTo(multiply(this.lineMatrix, [1, 0, 0, 1, x, y]));
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
      this.showGlyph(text, x, y, font.isVertical ? size : advance * scale);
      at += step;
    }
    const moved: Matrix = font.isVertical ? [1, 0, 0, 1, 0, at] : [1, 0, 0, 1, at * scale, 0];
    this.matrix = multiply(this.matrix, moved);
  }

  private showGlyph(text: string, x: number, y: number, advance: number): void {
    const { ctm, rise, size: fontSize, font } = this.state;
    const m = multiply(ctm, this.matrix);
    const [px, py] = place(m, x, y + rise);
    const sign = fontSize < 0 ? -1 : 1;
    const size = Math.abs(fontSize) * Math.hypot(m[2], m[3]);
    const turns = quarterTurns(sign * m[0], sign * m[1]);
    const [u, v] = turned([px, py], turns);
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
      word.text = isOver
        ? (word.text.slice(0, -1) + known.slice(0, 1) + accent + known.slice(1)).normalize('NFC')
        : word.text + known;
      word.lastX = u;
      word.x1 = Math.max(word.x1, u + width);
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
    if (this.annotations > 0 || this.rules.length > MAX_RULES) return;
    const { ctm } = this.state;
    for (const points of subpaths(operations)) {
      const placed = points.map(([x, y]) => place(ctm, x, y));
      if (isFilled) this.rules.push(...thinBox(placed));
      else placed.slice(1).forEach((point, i) => this.rules.push(...straight(placed[i] ?? point, point)));
    }
  }
}

const MAX_DEPTH = 500;
const MAX_RULES = 20_000;
/** A letter that begins so close to the beginning of an accent (share of the size) is below it. */
const ACCENT_GAP = 0.35;
/** Lines have at most this width, and are at least so long (points). */
const MAX_RULE_WIDTH = 3;
const MIN_RULE_LENGTH = 4;

function isNext(
  word: OpenWord,
  { u, v, size, font, turns }: { u: number; v: number; size: number; font: Font; turns: number },
): boolean {
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

/** A point in the frame of text of a direction. */
function turned([x, y]: Point, turns: number): Point {
  if (turns === 0) return [x, y];
  if (turns === 1) return [y, -x];
  return turns === 2 ? [-x, -y] : [-y, x];
}

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

/** The operations of a path in PDF.js, with the number of their coordinates. */
const PATH_STEPS = [2, 2, 6, 4, 0];

function subpaths(operations: ArrayLike<unknown>): Point[][] {
  const paths: Point[][] = [];
  for (let at = 0; at < operations.length;) {
    const step = numberAt(operations, at++);
    const count = PATH_STEPS[step] ?? 0;
    const x = numberAt(operations, at + count - 2);
    const y = numberAt(operations, at + count - 1);
    const open = paths.at(-1);
    const [first] = open ?? [];
    if (step === 0 || !open) paths.push([[x, y]]);
    else if (step === 4 && first) open.push(first);
    else open.push([x, y]);
    at += count;
  }
  return paths;
}

function straight([xa, ya]: Point, [xb, yb]: Point): Rule[] {
  const [width, height] = [Math.abs(xa - xb), Math.abs(ya - yb)];
  if (Math.max(width, height) < MIN_RULE_LENGTH || Math.min(width, height) > 1) return [];
  return [{ x0: Math.min(xa, xb), y0: Math.min(ya, yb), x1: Math.max(xa, xb), y1: Math.max(ya, yb) }];
}

function thinBox(points: readonly Point[]): Rule[] {
  const [x0, x1] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [y0, y1] = [Math.min(...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  if (points.length > 6 || Math.min(x1 - x0, y1 - y0) > MAX_RULE_WIDTH) return [];
  if (Math.max(x1 - x0, y1 - y0) < MIN_RULE_LENGTH) return [];
  const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2];
  return x1 - x0 > y1 - y0 ? [{ x0, y0: y, x1, y1: y }] : [{ x0: x, y0, x1: x, y1 }];
}

const numberAt = (args: ArrayLike<unknown>, at: number): number => {
  const value = args[at];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
};

function matrixFrom(value: unknown): Matrix {
  if (!isList(value) || value.length < 6) return IDENTITY;
  const at = (i: number): number => numberAt(value, i);
  return [at(0), at(1), at(2), at(3), at(4), at(5)];
}

const STROKES = [
  'stroke',
  'closeStroke',
  'fillStroke',
  'eoFillStroke',
  'closeFillStroke',
  'closeEOFillStroke',
] as const;
const FILLS = ['fill', 'eoFill'] as const;

type Operation = (reader: PageReader, args: ArrayLike<unknown>, fonts: ReadonlyMap<string, Font>) => void;

function fontNamed(name: unknown, fonts: ReadonlyMap<string, Font>): Font {
  return (typeof name === 'string' ? fonts.get(name) : undefined) ?? PLAIN;
}

/** What the operations of PDF.js mean for text and rules, by number. */
function operations({ OPS }: Awaited<ReturnType<typeof loadPdfLibrary>>): ReadonlyMap<number, Operation> {
  const strokes = new Set<unknown>(STROKES.map((name) => OPS[name]));
  const fills = new Set<unknown>(FILLS.map((name) => OPS[name]));
  return new Map<number, Operation>([
    [OPS.save, (reader) => reader.save()],
    [OPS.restore, (reader) => reader.restore()],
    [OPS.transform, (reader, args) => reader.transform(matrixFrom(args))],
    [
      OPS.paintFormXObjectBegin,
      (reader, args) => {
        reader.save();
        if (args[0]) reader.transform(matrixFrom(args[0]));
      },
    ],
    [OPS.paintFormXObjectEnd, (reader) => reader.restore()],
    [OPS.beginAnnotation, (reader, args) => reader.beginAnnotation(matrixFrom(args[2]), matrixFrom(args[3]))],
    [OPS.endAnnotation, (reader) => reader.endAnnotation()],
    [OPS.beginMarkedContent, (reader, args) => reader.mark(args[0] === 'Artifact')],
    [OPS.beginMarkedContentProps, (reader, args) => reader.mark(args[0] === 'Artifact')],
    [OPS.endMarkedContent, (reader) => reader.endMark()],
    [OPS.beginText, (reader) => reader.moveTo(IDENTITY)],
    [OPS.setCharSpacing, (reader, args) => reader.set({ charSpacing: numberAt(args, 0) })],
    [OPS.setWordSpacing, (reader, args) => reader.set({ wordSpacing: numberAt(args, 0) })],
    [OPS.setHScale, (reader, args) => reader.set({ scale: numberAt(args, 0) / 100 })],
    [OPS.setLeading, (reader, args) => reader.set({ leading: numberAt(args, 0) })],
    [OPS.setTextRise, (reader, args) => reader.set({ rise: numberAt(args, 0) })],
    [
      OPS.setFont,
      (reader, args, fonts) => reader.set({ font: fontNamed(args[0], fonts), size: numberAt(args, 1) }),
    ],
    [
      OPS.setGState,
      (reader, args, fonts) => {
        for (const entry of Array.isArray(args[0]) ? args[0] : []) {
          if (!Array.isArray(entry) || entry[0] !== 'Font' || !Array.isArray(entry[1])) continue;
          reader.set({ font: fontNamed(entry[1][0], fonts), size: numberAt(entry[1], 1) });
        }
      },
    ],
    [OPS.moveText, (reader, args) => reader.move(numberAt(args, 0), numberAt(args, 1))],
    [
      OPS.setLeadingMoveText,
      (reader, args) => {
        reader.set({ leading: -numberAt(args, 1) });
        reader.move(numberAt(args, 0), numberAt(args, 1));
      },
    ],
    [OPS.setTextMatrix, (reader, args) => reader.moveTo(matrixFrom(args[0] ?? args))],
    [OPS.nextLine, (reader) => reader.nextLine()],
    [OPS.showText, (reader, args) => reader.show(Array.isArray(args[0]) ? args[0] : [])],
    [
      OPS.constructPath,
      (reader, args) => {
        const isFilled = fills.has(args[0]);
        if (!isFilled && !strokes.has(args[0])) return;
        const [path] = Array.isArray(args[1]) ? args[1] : [];
        if (isList(path)) reader.path(path, isFilled);
      },
    ],
  ]);
}

/** A page with more operations than this is left out. Maps of cities have 300,000. */
const MAX_OPERATIONS = 1_000_000;

/** A picture of at least this share of its page can be one of text. */
const MIN_IMAGE = 0.05;

type Library = Awaited<ReturnType<typeof loadPdfLibrary>>;

/** Reads pages of one document. */
export class PdfPageReader {
  private readonly operations: ReadonlyMap<number, Operation>;
  private readonly fonts = new Map<string, Font>();

  constructor(private readonly library: Library) {
    this.operations = operations(library);
  }

  async read(page: PDFPageProxy): Promise<PageContent> {
    const viewport = page.getViewport({ scale: 1 });
    const { fnArray, argsArray } = await page.getOperatorList();
    if (fnArray.length > MAX_OPERATIONS) throw new Error('too many operations');
    await this.addFonts(page, fnArray, argsArray);
    const reader = new PageReader(matrixFrom(viewport.transform));
    for (const [at, name] of fnArray.entries()) {
      const args: unknown = argsArray[at];
      this.operations.get(name)?.(reader, isList(args) ? args : [], this.fonts);
    }
    reader.endWord();
    const { width, height } = viewport;
    const { words, rules, unknown } = reader;
    const hasImage = reader.largest > MIN_IMAGE * width * height;
    return {
      ...{ number: page.pageNumber, width, height, rules, unknown, hasImage },
      words: await withLinks(words, page),
    };
  }

  /** Reads the fonts that a page uses for the first time. */
  private async addFonts(
    page: PDFPageProxy,
    names: readonly number[],
    args: readonly unknown[],
  ): Promise<void> {
    const { OPS } = this.library;
    const used = names.flatMap((name, at) => (name === OPS.dependency ? [args[at]] : []));
    const ids = used.flat().filter((id) => typeof id === 'string' && /_f\d/.test(id) && !this.fonts.has(id));
    if (ids.length > 0) await setImmediate();
    for (const id of ids) {
      if (typeof id !== 'string' || !page.commonObjs.has(id)) continue;
      this.fonts.set(id, readFont(page.commonObjs.get(id)));
    }
  }
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  typeof value === 'object' && value !== null && 'length' in value;

function readFont(found: unknown): Font {
  if (typeof found !== 'object' || found === null) return PLAIN;
  const facts = found;
  const is = (key: string): boolean => key in facts && Reflect.get(facts, key) === true;
  const name = 'name' in facts && typeof facts.name === 'string' ? facts.name : '';
  const matrix = 'fontMatrix' in facts ? matrixFrom(facts.fontMatrix) : IDENTITY;
  const isFixed = 'fallbackName' in facts && facts.fallbackName === 'monospace';
  return {
    isBold: is('bold') || is('black') || BOLD.test(name),
    isItalic: is('italic') || ITALIC.test(name),
    isMono: isFixed || MONO.test(name),
    unit: matrix === IDENTITY ? 0.001 : Math.abs(matrix[0]),
    isVertical: is('vertical'),
  };
}

const SAFE_LINK = /^(?:https?|mailto):/i;

/** Adds the addresses of links to the words below them. */
async function withLinks(words: readonly Word[], page: PDFPageProxy): Promise<readonly Word[]> {
  const found: readonly unknown[] = await page.getAnnotations();
  const { transform } = page.getViewport({ scale: 1 });
  const base = matrixFrom(transform);
  const areas = found.flatMap((note) => {
    if (typeof note !== 'object' || note === null || !('url' in note) || !('rect' in note)) return [];
    const { url, rect } = note;
    if (typeof url !== 'string' || !SAFE_LINK.test(url) || !isList(rect)) return [];
    const a = place(base, numberAt(rect, 0), numberAt(rect, 1));
    const b = place(base, numberAt(rect, 2), numberAt(rect, 3));
    return [
      {
        url,
        ...{ x0: Math.min(a[0], b[0]), x1: Math.max(a[0], b[0]) },
        ...{ y0: Math.min(a[1], b[1]), y1: Math.max(a[1], b[1]) },
      },
    ];
  });
  if (areas.length === 0) return words;
  return words.map((word) => {
    const [x, y] = [(word.x0 + word.x1) / 2, word.y - word.size / 3];
    const area = areas.find(({ x0, x1, y0, y1 }) => x > x0 && x < x1 && y > y0 && y < y1);
    return area && word.turns === 0 ? { ...word, href: area.url } : word;
  });
}
