import { MalformedDocumentError } from '../parsed-document.js';

/** Asciidoctor's parser calls itself for each `>` before a quotation. */
const MAX_QUOTE_DEPTH = 50;
const QUOTE_MARKS = new RegExp(`^(?:> ?){${MAX_QUOTE_DEPTH + 1}}`);

/** Asciidoctor looks for a free id in time quadratic in the number of sections with the same title. */
const MAX_EQUAL_HEADINGS = 2000;
const HEADING = /^(?:={2,6}|#{2,6})[ \t]+\S/;

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
  const headings = new Map<string, number>();
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trimEnd().replace(SPACES, '$1');
    const target = INCLUDE.exec(line)?.[1];
    if (target === undefined) kept.push(line);
    else if (!NOT_A_PATH.test(target)) included.add(target);
    if (QUOTE_MARKS.test(line))
      throw new MalformedDocumentError(firstLine + index, 'quotations are nested too deeply');
    if (!HEADING.test(line)) continue;
    const equal = (headings.get(line) ?? 0) + 1;
    headings.set(line, equal);
    if (equal > MAX_EQUAL_HEADINGS) {
      throw new MalformedDocumentError(
        firstLine + index,
        `more than ${MAX_EQUAL_HEADINGS} headings have the same text`,
      );
    }
  }
  return { text: kept.join('\n'), included: [...included] };
}
