/** Attributes of Pandoc and its relatives: an id, a class, a pair, a mark for scripts, or that of a heading without number. */
const ATTRIBUTE =
  /^(?:#[^\s{}\\]{1,500}|data-[\w-]{1,100}|\.-?[A-Za-z_][\w:-]{0,200}|[A-Za-z][\w:.-]{0,100}=(?:"[^"]{0,500}"|'[^']{0,500}'|[^\s"'{}]{1,500})|-)(?:[ \t]+|$)/;
/** A comment of MDX whose only word is an id, as in `{/* #setup *\/}` (Docusaurus) and `{/*setup*\/}`. */
const COMMENT = /^\/\*(?:\s{0,20}#([^\s*]{1,500})\s{0,20}|([^\s*]{1,500}))\*\/$/;
const HTML_COMMENT = /[ \t]*<!--\s{0,20}#([^\s<>]{1,500})\s{0,20}-->$/;
/** An id as a pair: `id="1.2"`. */
const PAIR = /^id=["']?([^\s"'{}]{1,500})["']?\s*$/;
const MAX_CHARS = 1200;

/** A heading without the attributes at its end, and the id that they declare. */
interface SplitHeading {
  readonly text: string;
  readonly id: string | null;
}

/** Splits attributes from the end of a heading: `{#id}`, `{: .class #id }`, `{.class}`, a comment with an id. */
export function splitAttributes(heading: string): SplitHeading {
  const [comment = '', commented] = HTML_COMMENT.exec(heading.slice(-MAX_CHARS)) ?? [];
  if (commented !== undefined) return { text: heading.slice(0, -comment.length), id: commented };
  const start = heading.endsWith('}') ? heading.slice(-MAX_CHARS).lastIndexOf('{') : -1;
  if (start < 0) return { text: heading, id: null };
  const at = Math.max(0, heading.length - MAX_CHARS) + start;
  const before = heading.slice(0, at);
  const id = idIn(heading.slice(at + 1, -1), before);
  return id === null
    ? { text: heading, id: null }
    : { text: before.replace(/[ \t]*\\?$/, ''), id: id || null };
}

/** The id in the braces; '' for attributes without one, null for braces that are text. */
function idIn(inner: string, before: string): string | null {
  const [, marked, bare] = COMMENT.exec(inner) ?? [];
  if (marked !== undefined || bare !== undefined) return marked ?? bare ?? '';
  // Other letters than those of ASCII are no part of a path or a template.
  if (!/(?:^|[ \t]|[^\0-\x7F])\\?$/.test(before)) return null;
  return readAttributes(inner.replace(/\\$/, ''));
}

/** Reads the inner part of attributes. @returns '' without an id, null for other text */
export function readAttributes(inner: string): string | null {
  const isMarked = inner.startsWith(':');
  let rest = inner.replace(/^:/, '').trim();
  let id = '';
  if (rest === '') return isMarked ? '' : null;
  while (rest !== '') {
    const found = ATTRIBUTE.exec(rest)?.[0] ?? (isMarked ? /^\S+\s*/.exec(rest)?.[0] : undefined);
    if (found === undefined) return null;
    if (found.startsWith('#')) id = found.slice(1).trim();
    else id = PAIR.exec(found)?.[1] ?? id;
    rest = rest.slice(found.length);
  }
  return id;
}
