import { findCode } from '../reading/markdown/find-code.js';

/** HTML that AsciiDoc passes through. */
const PASSED =
  /^\+{4}$[\s\S]*?(?:^\+{4}$|(?![\s\S]))|\+{3}[^+\n]{1,2000}\+{3}|pass:[a-z,]{0,50}\[[^[\]\n]{0,2000}\]/gm;

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** The HTML of a file at its offsets, with white space for everything else. */
export function htmlOf(path: string, source: string): string {
  if (/\.html?$/i.test(path)) return source;
  const isMarkdown = /\.(?:md|mdx|markdown)$/i.test(path);
  if (!isMarkdown && !/\.(?:adoc|asciidoc)$/i.test(path)) return '';
  const spans = isMarkdown
    ? findCode(source)
    : Array.from(source.matchAll(PASSED), ({ index, 0: text }) => ({
        start: index,
        end: index + text.length,
      }));
  const pieces: string[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    const [between, within] = [source.slice(from, start), source.slice(start, end)];
    pieces.push(...(isMarkdown ? [between, blank(within)] : [blank(between), within]));
    from = end;
  }
  pieces.push(isMarkdown ? source.slice(from) : '');
  return pieces.join('');
}
