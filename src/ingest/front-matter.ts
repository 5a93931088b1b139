import { isMap as isMapNode, LineCounter, parseDocument, type Document, type YAMLParseError } from 'yaml';
import { MalformedDocumentError } from './parsed-document.js';
import type { WrittenFact } from './parsed-document.js';
import { resolved, valueAt, writtenEntries } from './written-yaml.js';

/** Above any real block (lists of keywords reach 200,000); a bound on what the YAML parser may be made to do. */
const MAX_FRONT_MATTER_CHARS = 500_000;
/** Looking for equal keys takes quadratic time. */
const MAX_KEYS = 5000;
const KEY_LINE = /^(?:\{|(?:"[^"\n]*"|'[^'\n]*'|[\p{L}\p{N}_$][^\s:#][^:\n]*|[\p{L}\p{N}_$])\s*:(?:\s|$))/u;

/** A file without its front matter. */
export interface SplitSource {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly written: readonly WrittenFact[];
  readonly body: string;
  /** The file's line that the body starts on, from 1. */
  readonly bodyLine: number;
}

/**
 * Takes the YAML between `---` and `---` (or `...`) off the top of a file. What isn't a map there is a thematic break and prose.
 * @throws MalformedDocumentError with the file's line, for YAML that doesn't parse
 */
export function splitFrontMatter(text: string): SplitSource {
  const whole = { frontMatter: {}, written: [], body: text, bodyLine: 1 };
  const opening = /^---[ \t]*\n/.exec(text);
  if (!opening) return whole;
  const start = opening[0].length;
  const end = findClosing(text, start);
  if (!end) return whole;
  const yaml = text.slice(start, end.start);
  if (!looksLikeMap(yaml)) return whole;
  const parsed = parseMap(yaml);
  if (!parsed) return whole;
  return { ...parsed, body: text.slice(end.after), bodyLine: 2 + yaml.split('\n').length };
}

function findClosing(text: string, from: number): { start: number; after: number } | null {
  const marker = /^(?:---|\.\.\.)[ \t]*$/gm;
  marker.lastIndex = from;
  const found = marker.exec(text);
  if (!found) return null;
  return { start: found.index, after: found.index + found[0].length + 1 };
}

function looksLikeMap(yaml: string): boolean {
  const line = yaml.split('\n', 200).find((candidate) => candidate.trim() !== '' && !/^\s*#/.test(candidate));
  return line === undefined || KEY_LINE.test(line.trimStart());
}

type ReadMap = Pick<SplitSource, 'frontMatter' | 'written'>;

function parseMap(yaml: string): ReadMap | null {
  if (yaml.length > MAX_FRONT_MATTER_CHARS) {
    throw new MalformedDocumentError(1, `front matter longer than ${MAX_FRONT_MATTER_CHARS} characters`);
  }
  if ((yaml.match(/:(?=\s)/g) ?? []).length > MAX_KEYS) {
    throw new MalformedDocumentError(1, `front matter with more than ${MAX_KEYS} keys`);
  }
  try {
    const lines = new LineCounter();
    const document = parseDocument(yaml, { uniqueKeys: true, logLevel: 'error', lineCounter: lines });
    const frontMatter = toMap(document, yaml);
    return frontMatter && { frontMatter, written: writtenFacts(document, lines) };
  } catch (cause) {
    if (cause instanceof MalformedDocumentError) throw cause;
    // Too many aliases, or nesting beyond the stack: the parser gives no line for these.
    throw new MalformedDocumentError(1, `front matter: ${reasonOf(cause)}`, { cause });
  }
}

function toMap(document: Document, yaml: string): Readonly<Record<string, unknown>> | null {
  const error = document.errors.find((candidate) => !isLateBracket(candidate, yaml));
  if (error) {
    const line = 1 + (error.linePos?.[0].line ?? 1);
    throw new MalformedDocumentError(line, `front matter: ${reasonOf(error)}`, { cause: error });
  }
  const value: unknown = document.toJS();
  if (value === null) return {};
  return isMap(value) ? value : null;
}

/** A list closed by `]` in the first column is against the letter of YAML, and read all the same by libyaml and so by most sites. */
function isLateBracket(error: YAMLParseError, yaml: string): boolean {
  return error.code === 'BAD_INDENT' && /[\]}]/.test(yaml.charAt(error.pos[0]));
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split('\n', 1)[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

/** The keys at the top, and those below the two that hold metadata. */
function writtenFacts(document: Document, lines: LineCounter): WrittenFact[] {
  const factsOf = (below: WrittenFact['below'], node: unknown): WrittenFact[] =>
    writtenEntries(document, node).map(({ key, value, offset }) => {
      // One line further down in the file: behind the opening marker.
      return { below, key, value, line: 1 + lines.linePos(offset).line };
    });
  const holders = (['metadata', 'mcp_metadata'] as const).map((below) => {
    return { below, node: valueAt(document, document.contents, below) };
  });
  // What such a map says is told entry by entry.
  const maps = new Set<string>(
    holders.filter(({ node }) => isMapNode(resolved(document, node))).map(({ below }) => below),
  );
  const top = factsOf('top', document.contents).filter(({ key }) => !maps.has(key));
  return [...top, ...holders.flatMap(({ below, node }) => factsOf(below, node))];
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
