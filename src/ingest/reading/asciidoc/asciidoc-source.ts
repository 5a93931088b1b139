import { MalformedDocumentError } from '../parsed-document.js';

interface Limits {
  /** Asciidoctor's parser calls itself for each `>` before a quotation. */
  readonly quoteDepth: number;
  /** Asciidoctor looks for a free id in time quadratic in the number of sections with the same title. */
  readonly equalHeadings: number;
}

const LIMITS: Limits = { quoteDepth: 50, equalHeadings: 2000 };
/** Within a listing. It may be none, as the underline of a title looks like the start of one: Asciidoctor must cope. */
const VERBATIM_LIMITS: Limits = { quoteDepth: 1000, equalHeadings: 5000 };
/** Marks of all lines above the limit of quotations. */
const MAX_DEEP_MARKS = 20_000;

const QUOTE_MARKS = /^(?:> ?)+/;
const HEADING = /^(?:={2,6}|#{2,6})[ \t]+\S/;
/** The first line of a listing, a literal or passed block, or a comment. */
const VERBATIM = /^(?:(-{4,}|\.{4,}|\+{4,}|\/{4,})|(```)[^`]*)$/;

/** Patterns of Asciidoctor that expect white space try every start within it. Longer runs are cut. */
const MAX_SPACES = 200;
const SPACES = new RegExp(`([ \\t]{${MAX_SPACES}})[ \\t]+`, 'g');

const INCLUDE = /^include::([^[]*[^[\s])\[[^\n]*\]$/;
/** Options and attributes in a target, such as `{docdir}`, are not resolved. */
const NOT_A_PATH = /[{}]/;

export interface AsciidocSource {
  /** Without the lines that include files and without white space at the ends of lines. */
  readonly text: string;
  /** Targets of the lines that include files. */
  readonly included: readonly string[];
}

/** Removes the lines that include files. @throws MalformedDocumentError for text that Asciidoctor can't read in linear time */
export function asciidocSource(text: string, firstLine: number): AsciidocSource {
  const kept: string[] = [];
  const included = new Set<string>();
  const check = lineCheck();
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trimEnd().replace(SPACES, '$1');
    const target = INCLUDE.exec(line)?.[1];
    if (target === undefined) kept.push(line);
    else if (!NOT_A_PATH.test(target)) included.add(target);
    const problem = check(line);
    if (problem !== null) throw new MalformedDocumentError(firstLine + index, problem);
  }
  return { text: kept.join('\n'), included: [...included] };
}

/** A check of the lines of a document, one after the other, that returns what is wrong with one. */
function lineCheck(): (line: string) => string | null {
  const headings = new Map<string, number>();
  let deepMarks = 0;
  let end: string | null = null;
  return (line) => {
    if (end === null) {
      const [, drawn, ticks] = VERBATIM.exec(line) ?? [];
      end = drawn ?? ticks ?? null;
    } else if (line === end) end = null;
    const { quoteDepth, equalHeadings } = end === null ? LIMITS : VERBATIM_LIMITS;
    const depth = line.startsWith('>') ? marksOf(line) : 0;
    if (depth > LIMITS.quoteDepth) deepMarks += depth;
    if (depth > quoteDepth || deepMarks > MAX_DEEP_MARKS) return 'quotations are nested too deeply';
    if (!HEADING.test(line)) return null;
    const key = `${end === null ? '' : ' '}${line}`;
    const equal = (headings.get(key) ?? 0) + 1;
    headings.set(key, equal);
    return equal > equalHeadings ? `more than ${equalHeadings} headings have the same text` : null;
  };
}

function marksOf(line: string): number {
  const [marks = ''] = QUOTE_MARKS.exec(line) ?? [];
  return marks.replaceAll(' ', '').length;
}
