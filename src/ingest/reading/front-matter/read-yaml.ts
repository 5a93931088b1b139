import { type Document, isMap as isMapNode, LineCounter, parseDocument, type YAMLParseError } from 'yaml';
import type { WrittenFact } from '../parsed-document.js';
import { isNestedTooDeeply, resolved, valueAt, writtenEntries } from '../written-yaml.js';
import {
  isMap,
  levelBelow,
  MAX_FRONT_MATTER_CHARS,
  NOTHING_READ,
  notRead,
  type ReadHeader,
  type ReadMap,
  UNFOLDED,
  unfolded,
} from './read-header.js';

/** The YAML parser looks for duplicate keys in quadratic time. */
const MAX_KEYS = 5000;
export const KEY_LINE =
  /^(?:\{|(?:"[^"\n]*"|'[^'\n]*'|[\p{L}\p{N}_$][^\s:#][^:\n]*|[\p{L}\p{N}_$])\s*:(?:\s|$))/u;

/** `KEY: TEXT`, where the text is not a list or a map. */
const TEXT_LINE = /^([\p{L}\p{N}_$][^\s:#][^:\n]*|[\p{L}\p{N}_$]):[ \t]+(?![[{|>&])([^\n]+)\s*$/u;

/** Lines that continue an entry: indented lines, list items, closing brackets, comments and blank lines. */
const CONTINUATION = /^(?:[\s\-\]}#]|$)/;

/** An entry on one line of printable ASCII. */
const PLAIN_LINE = /^([A-Za-z](?:[\w. -]*[\w.-])?): ([ -~]*[!-~])$/;
/** A text or a list of texts that is JSON too, without escapes. */
const QUOTED = /^(?:"[^"\\]*"|\["[^"\\]*"(?:, ?"[^"\\]*")*\])$/;
/** Marks, words with a meaning, a second key, a comment; and numbers, which have no second point, slash or space. */
const NOT_TEXT = /^(?:[^A-Za-z\d]|(?:null|true|false)$)|:(?: |$)| #|^\d(?![^./ ]*(?:[/ ]|\.[^./ ]*\.))/i;

/** Reads a map of such entries, as most are. The parser takes many times as long. Null for other maps. */
function readPlainLines(yaml: string): ReadHeader | null {
  const written: WrittenFact[] = [];
  const frontMatter: Record<string, unknown> = {};
  for (const [index, line] of yaml.trimEnd().split('\n').entries()) {
    if (line.startsWith('#')) continue;
    const [, key = '', text = ''] = PLAIN_LINE.exec(line) ?? [];
    const isQuoted = QUOTED.test(text);
    if (key === '' || key in frontMatter || NOT_TEXT.test(key) || (!isQuoted && NOT_TEXT.test(text)))
      return null;
    const value: unknown = isQuoted ? JSON.parse(text) : text;
    frontMatter[key] = value;
    written.push({ below: 'top', key, value: typeof value === 'string' ? value : null, line: index + 2 });
  }
  const isRead = written.length > 0 && written.length <= MAX_KEYS;
  return isRead ? { frontMatter, written, problems: [] } : null;
}

/** Cursor writes the patterns of a rule without quotation marks: `globs: *.ts,*.tsx`. In YAML, `*` marks an alias. */
const GLOBS = /^(globs:[ \t]+)(\*(?:[^\n"\\]*[^\s"\\])?)[ \t]*$/m;

/** Reads a map; the unreadable parts are in `problems`. Null if it is not a map. */
export function readYaml(written: string): ReadHeader | null {
  const yaml = written.replace(GLOBS, '$1"$2"');
  const plain = yaml.length > MAX_FRONT_MATTER_CHARS ? null : readPlainLines(yaml);
  if (plain) return plain;
  const excess = excessOf(yaml);
  if (excess !== null) return notRead(excess);
  const lines = new LineCounter();
  try {
    const document = parseDocument(yaml, { uniqueKeys: true, logLevel: 'error', lineCounter: lines });
    const error = document.errors.find((candidate) => !isLateBracket(candidate, yaml));
    if (error) return partlyRead(yaml, error, 1 + (error.linePos?.[0].line ?? 1));
    const value: unknown = document.toJS();
    if (value === null) return NOTHING_READ;
    return isMap(value)
      ? { frontMatter: unfolded(value), written: writtenFacts(document, lines), problems: [] }
      : null;
  } catch (cause) {
    // Too many aliases, or nesting that overflows the stack. The parser gives no line for these.
    return partlyRead(yaml, cause, 1);
  }
}

function excessOf(yaml: string): string | null {
  if (yaml.length > MAX_FRONT_MATTER_CHARS) return `longer than ${MAX_FRONT_MATTER_CHARS} characters`;
  if (isNestedTooDeeply(yaml)) return 'nested too deeply';
  const keys = yaml.match(/:(?=\s)/g) ?? [];
  return keys.length > MAX_KEYS ? `more than ${MAX_KEYS} keys` : null;
}

/** Reads each entry separately, so that a broken one doesn't affect the others. Of equal keys, the last is used. */
function partlyRead(yaml: string, error: unknown, line: number): ReadHeader {
  const read = splitEntries(yaml).map(readEntry);
  return {
    frontMatter: unfolded(Object.fromEntries(read.flatMap(({ frontMatter }) => Object.entries(frontMatter)))),
    written: read.flatMap(({ written }) => written),
    problems: [{ line, reason: `front matter partly read: ${reasonOf(error)}` }],
  };
}

/** @returns the YAML of each entry, with its line in the file, from 1 */
function splitEntries(yaml: string): { yaml: string; line: number }[] {
  const entries: { line: number; lines: string[] }[] = [];
  for (const [index, text] of yaml.split('\n').entries()) {
    if (KEY_LINE.test(text)) entries.push({ line: index + 2, lines: [text] });
    else if (CONTINUATION.test(text)) entries.at(-1)?.lines.push(text);
  }
  return entries.map(({ line, lines }) => ({ line, yaml: lines.join('\n') }));
}

function readEntry({ yaml, line }: { readonly yaml: string; readonly line: number }): ReadMap {
  try {
    const lines = new LineCounter();
    const document = parseDocument(yaml, { logLevel: 'error', lineCounter: lines });
    const value: unknown = document.errors.length > 0 ? null : document.toJS();
    if (!isMap(value)) return readLine(yaml, line);
    const written = writtenFacts(document, lines).map((fact) => ({ ...fact, line: fact.line + line - 2 }));
    return { frontMatter: value, written };
  } catch {
    // An alias to another entry, or nesting that overflows the stack.
    return readLine(yaml, line);
  }
}

/** Reads a text that is invalid YAML: an open quote, a second colon, or a star or percent sign at its start. */
function readLine(yaml: string, line: number): ReadMap {
  const [, key, text = ''] = TEXT_LINE.exec(yaml) ?? [];
  const value = text.replace(/^["']|["']$/g, '').trim();
  if (key === undefined || value === '') return NOTHING_READ;
  return { frontMatter: { [key]: value }, written: [{ below: 'top', key, value, line }] };
}

/** True for a `]` in the first column, which YAML forbids. libyaml accepts it, and so do most site generators. */
function isLateBracket(error: YAMLParseError, yaml: string): boolean {
  return error.code === 'BAD_INDENT' && /[\]}]/.test(yaml.charAt(error.pos[0]));
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

/** The keys at the top level, and those below `metadata`, `mcp_metadata` and the maps that are unfolded. */
function writtenFacts(document: Document, lines: LineCounter): WrittenFact[] {
  const factsOf = (below: WrittenFact['below'], node: unknown): WrittenFact[] =>
    writtenEntries(document, node).map(({ key, value, offset }) => {
      // The opening `---` is not part of the YAML, so it adds one line.
      return { below, key, value, line: 1 + lines.linePos(offset).line };
    });
  const holders = ['metadata', 'mcp_metadata', ...UNFOLDED].map((key) => {
    return { key, node: valueAt(document, document.contents, key) };
  });
  // The entries of these maps are listed separately.
  const maps = new Set<string>(
    holders.filter(({ node }) => isMapNode(resolved(document, node))).map(({ key }) => key),
  );
  const top = factsOf('top', document.contents).filter(({ key }) => !maps.has(key));
  const below = holders.map(({ key, node }) => factsOf(levelBelow(key) ?? 'top', node));
  return [...below.slice(2).flat(), ...top, ...below.slice(0, 2).flat()];
}
