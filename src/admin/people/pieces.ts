import { type Html, html, type Part } from '../views/html.js';

/** Markup of ours, or text of a document, which is escaped when it is written. */
export type Piece = Html | string;

const FOLDED = /[\p{L}\p{N}]/u;

/** The letters and digits of a text in lower case: what Markdown and its rendering have in common. */
interface Folded {
  readonly text: string;
  /** For each unit of the text, the piece it is from and its offset in there. */
  readonly places: readonly (readonly [piece: number, offset: number])[];
}

function fold(pieces: readonly Piece[]): Folded {
  const places: (readonly [number, number])[] = [];
  let text = '';
  for (const [at, piece] of pieces.entries()) {
    if (typeof piece !== 'string') continue;
    let offset = 0;
    for (const character of piece) {
      if (FOLDED.test(character)) {
        // Some lower-case letters are longer than their capitals.
        const lower = character.toLowerCase();
        text += lower;
        for (let i = 0; i < lower.length; i++) places.push([at, offset]);
      }
      offset += character.length;
    }
  }
  return { text, places };
}

/** A stretch of marked text, by pieces and offsets in them. */
interface Marked {
  readonly from: readonly [piece: number, offset: number];
  readonly to: readonly [piece: number, offset: number];
}

/** The end of the word or sign at an offset: closing marks and full stops belong to a quote. */
function quoteEnd(
  pieces: readonly Piece[],
  [at, offset]: readonly [number, number],
): readonly [number, number] {
  const text = String(pieces[at]);
  const rest = /^.[\p{L}\p{N}]*[^\p{L}\p{N}\s]*/su.exec(text.slice(offset))?.[0] ?? '';
  return [at, offset + rest.length];
}

/** Each form of a quote is looked for in turn. */
function find({ text, places }: Folded, pieces: readonly Piece[], forms: readonly string[]): Marked | null {
  for (const form of forms) {
    const start = form === '' ? -1 : text.indexOf(form);
    const [from, last] = [places[start], places[start + form.length - 1]];
    if (from && last) return { from, to: quoteEnd(pieces, last) };
  }
  return null;
}

function slices(piece: string, at: number, marks: readonly Marked[]): Part[] {
  const parts: Part[] = [];
  let done = 0;
  for (const { from, to } of marks) {
    if (at < from[0] || at > to[0]) continue;
    const start = Math.max(done, at === from[0] ? from[1] : 0);
    const end = at === to[0] ? to[1] : piece.length;
    if (end <= start) continue;
    const text = piece.slice(start, end);
    parts.push(piece.slice(done, start), text.trim() === '' ? text : html`<mark>${text}</mark>`);
    done = end;
  }
  return [...parts, piece.slice(done)];
}

/** Quotes in a rendered text. */
export interface MarkedPieces {
  readonly content: Part;
  /** For each quote, if it was found. */
  readonly found: readonly boolean[];
}

/**
 * Marks the first place of each quote, whatever markup is around and within it.
 * @param quotes  each in the forms to look for: as rendered, and as written
 */
export function markQuotes(
  pieces: readonly Piece[],
  quotes: readonly (readonly (readonly Piece[])[])[],
): MarkedPieces {
  if (quotes.length === 0) return { content: pieces, found: [] };
  const folded = fold(pieces);
  const places = quotes.map((forms) =>
    find(
      folded,
      pieces,
      forms.map((form) => fold(form).text),
    ),
  );
  const marks = places
    .filter((place) => place !== null)
    .sort((a, b) => a.from[0] - b.from[0] || a.from[1] - b.from[1]);
  const content = pieces.map((piece, at) => (typeof piece === 'string' ? slices(piece, at, marks) : piece));
  return { content, found: places.map((place) => place !== null) };
}
