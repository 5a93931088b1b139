import type { Span } from '../../text/span.js';
import { plainHref } from './scan-destination.js';

/** A link reference definition: `[label]: href`. */
interface Definition extends Span {
  readonly label: string;
  readonly href: string;
}

// Quotation marks, indentation and a list marker may precede a definition. `[^1]:` is a footnote, and a single word
// after the colon is a type or a remark.
const START =
  /^[ \t>]{0,40}(?<marker>[-*+][ \t]{1,4})?(?<label>\[(?!\^)(?:[^[\]\\\n]|\\.){1,999}\]):[ \t]*(?:\n[ \t>]*)?(?:<(?<angled>[^<>\n]*)>|(?<bare>(?=\S*[./#:])[^\s<]\S*))/gm;
const TITLE = /^(?:"[^"]*"|'[^']*'|\([^()]*\))?$/;

/** Finds definitions of link references outside code, in order; spans include the title. */
export function findLinkDefinitions(text: string, code: readonly Span[]): readonly Definition[] {
  if (!text.includes(']:')) return [];
  const found: Definition[] = [];
  let next = 0;
  for (const match of text.matchAll(START)) {
    const { index } = match;
    while ((code[next]?.end ?? Infinity) <= index) next++;
    const isCode = (code[next]?.start ?? Infinity) <= index;
    const definition = isCode || isProse(text, match) ? null : toDefinition(text, match);
    if (definition) found.push(definition);
  }
  return found;
}

/** True inside a paragraph, where brackets and a colon are prose. A definition may follow another definition. */
function isProse(text: string, { index, groups }: RegExpExecArray): boolean {
  if (index === 0 || groups?.['marker']) return false;
  const previous = text.slice(text.lastIndexOf('\n', index - 2) + 1, index - 1);
  return !/^[ \t>]*(?:$|\[[^\]]*\]:)/.test(previous);
}

function toDefinition(text: string, match: RegExpExecArray): Definition | null {
  const { label = '', angled, bare = '' } = match.groups ?? {};
  const key = labelKey(label.slice(1, -1));
  const rest = match.index + match[0].length;
  const lineFeed = text.indexOf('\n', rest);
  const end = lineFeed < 0 ? text.length : lineFeed;
  if (key === '' || !TITLE.test(text.slice(rest, end).trim())) return null;
  return { label: key, href: plainHref(angled ?? bare), start: match.index, end };
}

/** Normalizes a label: references match definitions in any case and with any white space. */
export function labelKey(label: string): string {
  return label.trim().replace(/\s+/g, ' ').toLowerCase();
}
