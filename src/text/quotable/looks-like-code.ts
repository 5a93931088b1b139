import { fenceLine } from './fence-line.js';

/** A line that may be a comment, which has words as prose has. */
const COMMENT = /^(?:\/\/|\/\*|\*\/|#|--|;)/;
/**
 * Links, emphasis, tables and quotations; five words in a row, or words and a full stop; the start of a container of a
 * documentation system.
 */
const PROSE =
  /\]\(|\]\[|\*\*|\{:[ \t]?[.#][^{}]{0,300}\}$|^\||^> |(?:\b\p{Ll}{2,},?\s+){4}\p{Ll}{2}|^\p{Lu}[\p{L} ,’'-]{0,80}\.$|^(?:[:!]{3} |\?{3}|={3} "|\/{3,} ?(?:[a-z-]+(?: \|.*)?)?$|\{(?:[%:]|\{[<%])|\[!)/mu;
/** Ends and starts of lines of code, calls and assignments. */
const CODE_LINE = /[;{}()[\],=\\<>]$|^[}\])<@$#%]|^(?:\/\/|\/\*|--)|=>|[\w)\]]\(|^[\w."'-]+[ \t]*[:=]/;

/**
 * True for a text that is probably a part of a block of code without the fences. Only code begins with white space in
 * a quote.
 */
export function looksLikeCode(text: string): boolean {
  const all = text.split('\n');
  if (all.some((line) => fenceLine(line))) return false;
  if (/^[ \t]/.test(text)) return true;
  const lines = all.map((line) => line.trim()).filter((line) => line !== '');
  if (PROSE.test(lines.filter((line) => !COMMENT.test(line)).join('\n'))) return false;
  return lines.filter((line) => CODE_LINE.test(line)).length * 2 > lines.length;
}
