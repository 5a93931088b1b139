import { findCode } from './find-code.js';

/** Stands for an inline code span in masked text; of the private use area, so no text means anything by it. */
export const SPAN_MARK = '\uE000';

/** A fenced code block without its marks. */
export interface Fence {
  /** First word behind the opening mark, in small letters; empty where there is none. */
  readonly language: string;
  readonly code: string;
}

/** A text whose code is taken out, so that what is left is prose. */
export interface MaskedText {
  /** Each inline span is one SPAN_MARK; fences, HTML tags, comments and the addresses of links are gone. */
  readonly prose: string;
  /** What the marks stand for, in order, without ticks; never with line ends. */
  readonly spans: readonly string[];
  readonly fences: readonly Fence[];
}

// No branch can match what another one can, and none repeats a repetition: linear. The scheme of an address stays, as a
// plain word.
const NOT_PROSE =
  /<!--|<\/?[A-Za-z][^<>\uE000]*>|\]\([^()\s\uE000]*(?:\s+"[^"\n\uE000]*")?\)|:\/\/[^\s<>)\]"'`\uE000]*/g;
const LINK_DEFINITION = /^[ \t]{0,3}\[[^\]\n]{1,200}\]:[ \t]*\S+/gm;
const ESCAPE = /\\([\\_*[\]<>#.`~+!(){}-])/g;

/** Takes the code out of Markdown. */
export function maskCode(text: string): MaskedText {
  const prose: string[] = [];
  const spans: string[] = [];
  const fences: Fence[] = [];
  let at = 0;
  for (const { start, end } of findCode(text)) {
    prose.push(text.slice(at, start));
    at = end;
    const code = text.slice(start, end);
    // A fence is whole lines; elsewhere three ticks open a span.
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
  // The last line is the closing mark, or code where a fence was cut: a mark names nothing.
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
