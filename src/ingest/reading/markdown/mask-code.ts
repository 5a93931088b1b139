import { findCode } from './find-code.js';

/** Placeholder for an inline code span in masked text: a private-use character, which has no meaning in documents. */
export const SPAN_MARK = '\uE000';

/** A fenced code block without its marks. */
export interface Fence {
  /** First word after the opening mark, in lower case; may be empty. */
  readonly language: string;
  readonly code: string;
}

/** A text without its code, so that only prose is left. */
export interface MaskedText {
  /** Each inline span is replaced by SPAN_MARK; fences, HTML tags, comments and link addresses are removed. */
  readonly prose: string;
  /** The text of each span, in order, without backticks and line ends. */
  readonly spans: readonly string[];
  readonly fences: readonly Fence[];
}

// The branches exclude each other and have no nested repetition, so matching takes linear time. The scheme of an
// address stays, as a plain word.
const NOT_PROSE =
  /<!--|<\/?[A-Za-z][^<>\uE000]*>|\]\([^()\s\uE000]*(?:\s+"[^"\n\uE000]*")?\)|:\/\/[^\s<>)\]"'`\uE000]*/g;
const LINK_DEFINITION = /^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]*\S+/gm;
const ESCAPE = /\\([\\_*[\]<>#.`~+!(){}-])/g;

/** Separates the code of Markdown from its prose. */
export function maskCode(text: string): MaskedText {
  const prose: string[] = [];
  const spans: string[] = [];
  const fences: Fence[] = [];
  let at = 0;
  for (const { start, end } of findCode(text)) {
    prose.push(text.slice(at, start));
    at = end;
    const code = text.slice(start, end);
    // A fence starts at a line start; elsewhere three backticks open a span.
    const fence = start === 0 || text[start - 1] === '\n' ? readFence(code) : null;
    if (fence) {
      fences.push(fence);
      continue;
    }
    prose.push(SPAN_MARK);
    spans.push(bareSpan(code));
  }
  prose.push(text.slice(at));
  return { prose: cleanProse(prose), spans, fences };
}

function cleanProse(pieces: readonly string[]): string {
  const text = pieces
    .map((piece) => (piece === SPAN_MARK ? piece : piece.replaceAll(SPAN_MARK, ' ')))
    .join('')
    .replace(NOT_PROSE, (found) => (found.startsWith('](') ? ']' : ' '));
  const prose = text.includes(']:') ? text.replace(LINK_DEFINITION, ' ') : text;
  return prose.includes('\\') ? prose.replace(ESCAPE, '$1') : prose;
}

const FENCE_HEAD =
  /^(?:[ \t]*(?:>|[-*+][ \t]|\d{1,9}[.)][ \t]))*[ \t]*(?:`{3,}(?=[^`]*$)|~{3,})[ \t]*([^\s{,]*)/;
const QUOTE_MARK = /^[ \t]*(?:>[ \t]?)+/gm;

function readFence(code: string): Fence | null {
  const lineEnd = code.indexOf('\n');
  const head = lineEnd < 0 ? code : code.slice(0, lineEnd);
  const found = FENCE_HEAD.exec(head);
  if (!found) return null;
  const body = lineEnd < 0 ? '' : code.slice(lineEnd + 1);
  // The last line may stay in the code: it is the closing mark, which contains no name, or code of a fence without one.
  return {
    language: (found[1] ?? '').toLowerCase().replace(/^\./, ''),
    code: /^[ \t]*>/.test(head) ? body.replace(QUOTE_MARK, '') : body,
  };
}

function bareSpan(code: string): string {
  let ticks = 0;
  while (code.charAt(ticks) === '`') ticks++;
  return code
    .slice(ticks, code.length - ticks)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}
