import { decodeOlder } from '../../reading/decode-source.js';
import type { ConvertedText } from '../converted-text.js';
import { htmlPage, tag } from '../html-text.js';
import type { LatexContext } from './latex-source.js';
import { LatexText } from './latex-text.js';

const START = '\\begin{document}';
const END = '\\end{document}';

/** Converts a document of LaTeX. Formulas stay as written; pictures and included files are left out. @throws MalformedDocumentError */
export function convertLatex(bytes: Uint8Array): ConvertedText {
  const source = decodeOlder(bytes);
  const start = source.indexOf(START);
  const end = source.indexOf(END, start);
  const preamble = source.slice(0, Math.max(0, start));
  const body = source.slice(start < 0 ? 0 : start + START.length, end < 0 ? undefined : end);
  const context: LatexContext = {
    macros: new Map(),
    sectionLevel: /\\chapter\*?\s*[[{]/.test(body) ? 3 : 2,
    included: new Set(),
    added: 0,
  };
  // The definitions of the preamble; it has no text of its own.
  new LatexText(preamble, context).blocks();
  const title = titleIn(preamble) || titleIn(body);
  const heading = title === '' ? '' : new LatexText(title, context).inline();
  const html = new LatexText(body.replace(/\\title\s*\{/, '\\label{'), context).blocks();
  const { included } = context;
  const [first] = included;
  const leftOut =
    first === undefined ? [] : [`included files that are not read here: ${included.size}, such as ${first}`];
  return htmlPage('', (heading === '' ? '' : tag('h1', heading)) + html, leftOut);
}

/** The title, without the groups in it that are nested deeper than two levels. */
function titleIn(text: string): string {
  const [, title = ''] =
    /\\title\s*(?:\[[^\]]{0,300}\])?\{((?:[^{}]|\{(?:[^{}]|\{[^{}]{0,300}\}){0,500}\}){1,1000})\}/.exec(
      text,
    ) ?? [];
  return title;
}
