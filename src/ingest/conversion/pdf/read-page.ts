import { setImmediate } from 'node:timers/promises';
import type { PDFPageProxy } from 'unpdf/pdfjs';
import { MalformedDocumentError } from '../../reading/parsed-document.js';
import { drawingOperations, type Operation } from './drawing-operations.js';
import type { Rule } from './drawn-rules.js';
import { PageReader, type Word } from './drawn-text.js';
import { type Font, PLAIN, readFont } from './fonts.js';
import { isList, matrixFrom, numberAt, place } from './matrix.js';
import type { Library } from './pdf-library.js';

export interface PdfPage {
  /** From 1. */
  readonly number: number;
  readonly width: number;
  readonly height: number;
  readonly words: readonly Word[];
  readonly rules: readonly Rule[];
  /** Number of characters that have no meaning in Unicode. */
  readonly unknown: number;
  /** True for a page with a picture over a large part of it, or with as many drawn shapes as letters. */
  readonly isPicture: boolean;
}

/** Most operations of a page. */
const MAX_OPERATIONS = 500_000;
/** Most states in each other on a page. PDF.js takes the square of their number in time. */
const MAX_STATES = 5_000;
/** Most drawings of forms on a page. PDF.js reads a form again for each of them. */
const MAX_FORMS = 20_000;

/** A picture of at least this share of its page can be one of text. */
const MIN_IMAGE = 0.05;
/** Some programs draw letters as shapes: a line of text has about this number. */
const MIN_SHAPES = 80;

/** Reads pages of one document. */
export class PdfPageReader {
  private readonly operations: ReadonlyMap<number, Operation>;
  private readonly fonts = new Map<string, Font>();

  constructor(private readonly library: Library) {
    this.operations = drawingOperations(library);
  }

  async read(page: PDFPageProxy): Promise<PdfPage> {
    const viewport = page.getViewport({ scale: 1 });
    const { fnArray, argsArray } = await Promise.race([
      page.getOperatorList(),
      tooManyOperations(page, this.library),
    ]);
    await this.addFonts(page, fnArray, argsArray);
    const reader = new PageReader(matrixFrom(viewport.transform));
    for (const [at, name] of fnArray.entries()) {
      const args: unknown = argsArray[at];
      this.operations.get(name)?.(reader, isList(args) ? args : [], this.fonts);
    }
    reader.endWord();
    const { width, height } = viewport;
    const { words, rules, unknown } = reader;
    const shapes = fnArray.filter((name) => name === this.library.OPS.constructPath).length;
    const isPicture = reader.largest > MIN_IMAGE * width * height || shapes >= MIN_SHAPES;
    return {
      ...{ number: page.pageNumber, width, height, rules, unknown, isPicture },
      words: await withAnnotations(words, page),
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

/**
 * Fails when a page has too many operations, drawings of forms or states in each other: forms that draw each other could add them without an end. PDF.js hands them
 * over in pieces, and has no limit of its own.
 */
function tooManyOperations(page: PDFPageProxy, { OPS }: Library): Promise<never> {
  return new Promise((_, reject) => {
    const takePiece: unknown = Reflect.get(page, '_renderPageChunk');
    if (typeof takePiece !== 'function') throw new Error('PDF.js has changed: a page takes no pieces');
    const fail = (reason: string): void =>
      reject(new MalformedDocumentError(0, `page ${page.pageNumber} has more than ${reason}`));
    let [count, depth, forms] = [0, 0, 0];
    Reflect.set(page, '_renderPageChunk', (piece: unknown, state: unknown) => {
      const names: unknown = typeof piece === 'object' && piece !== null && Reflect.get(piece, 'fnArray');
      for (const name of Array.isArray(names) ? names : []) {
        count++;
        if (name === OPS.save) depth++;
        if (name === OPS.restore) depth--;
        if (name === OPS.paintFormXObjectBegin) forms++;
      }
      if (count > MAX_OPERATIONS) fail(`${MAX_OPERATIONS} operations`);
      else if (forms > MAX_FORMS) fail(`${MAX_FORMS} drawings of forms`);
      else if (depth > MAX_STATES) fail(`${MAX_STATES} states in each other`);
      else Reflect.apply(takePiece, page, [piece, state]);
    });
  });
}

const SAFE_LINK = /^(?:https?|mailto):/i;

interface Area {
  readonly x0: number;
  readonly x1: number;
  readonly y0: number;
  readonly y1: number;
}

/** Adds the addresses of links to the words below them, and the values of form fields that the file does not draw. */
async function withAnnotations(words: readonly Word[], page: PDFPageProxy): Promise<readonly Word[]> {
  const found: readonly unknown[] = await page.getAnnotations();
  const { transform } = page.getViewport({ scale: 1 });
  const base = matrixFrom(transform);
  const areas = found.flatMap((note): (Area & { readonly note: object })[] => {
    if (typeof note !== 'object' || note === null || !('rect' in note) || !isList(note.rect)) return [];
    const a = place(base, numberAt(note.rect, 0), numberAt(note.rect, 1));
    const b = place(base, numberAt(note.rect, 2), numberAt(note.rect, 3));
    const [[x0, x1], [y0, y1]] = [sorted(a[0], b[0]), sorted(a[1], b[1])];
    return [{ note, x0, x1, y0, y1 }];
  });
  const links = areas.flatMap(({ note, ...area }) =>
    'url' in note && typeof note.url === 'string' && SAFE_LINK.test(note.url)
      ? [{ ...area, url: note.url }]
      : [],
  );
  const linked = words.map((word) => {
    const [x, y] = [(word.x0 + word.x1) / 2, word.y - word.size / 3];
    const link = links.find(({ x0, x1, y0, y1 }) => x > x0 && x < x1 && y > y0 && y < y1);
    return link && word.turns === 0 ? { ...word, href: link.url } : word;
  });
  return [...linked, ...areas.flatMap(({ note, ...area }) => valueWords(fieldValue(note), area))];
}

const sorted = (a: number, b: number): [number, number] => (a < b ? [a, b] : [b, a]);

/** The lines of a text or choice that a form field has, if the file leaves it to the viewer to draw them. */
function fieldValue(note: object): readonly string[] {
  const {
    fieldType,
    fieldValue: value,
    hasAppearance,
    hidden,
    password,
  }: Record<string, unknown> = { ...note };
  const isShown = hasAppearance === false && hidden !== true && password !== true;
  if (!isShown || (fieldType !== 'Tx' && fieldType !== 'Ch')) return [];
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.flatMap((text) => (typeof text === 'string' ? text.split(/[\r\n]+/) : []));
}

const FIELD_SIZE = 10;

function valueWords(lines: readonly string[], { x0, y0, y1 }: Area): Word[] {
  return lines.flatMap((line, at) => {
    const y = y0 + ((at + 0.5) / lines.length) * (y1 - y0) + FIELD_SIZE / 3;
    const style = { y, size: FIELD_SIZE, font: PLAIN, turns: 0, isSpaced: true, isArtifact: false };
    return [...line.matchAll(/\S+/g)].map(({ 0: text, index }): Word => {
      const start = x0 + (index * FIELD_SIZE) / 2;
      return { ...style, text, x0: start, x1: start + (text.length * FIELD_SIZE) / 2 };
    });
  });
}
