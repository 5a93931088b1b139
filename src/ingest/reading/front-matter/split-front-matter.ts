import { MAX_FRONT_MATTER_CHARS, NOTHING_READ, notRead, type ReadHeader } from './read-header.js';
import { readToml } from './read-toml.js';
import { KEY_LINE, readYaml } from './read-yaml.js';

const OBJECT = /^\{\s{0,200}"[^"\n]{1,200}"\s{0,20}:/;
/** A text, which may have no end, or a brace. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|$)|[{}]/gs;

/** Reads the entries of an object, also without its braces. JSON is YAML. */
function readJson(json: string): ReadHeader | null {
  return readYaml(json.trimStart().startsWith('{') ? json : `{${json}}`);
}

/**
 * Splits an object from the top of a file, as Hugo reads it. One that can't be read stays in the text.
 * @returns null if the file begins with other text; `end` is the offset of the text after the object
 */
function splitJson(text: string): { readonly header: ReadHeader; readonly end: number } | null {
  if (!OBJECT.test(text)) return null;
  const end = endOfObject(text.slice(0, MAX_FRONT_MATTER_CHARS));
  if (end < 0 || !/^[ \t]*(?:\n|$)/.test(text.slice(end, end + 1000)))
    return { header: notRead('the JSON has no end'), end: 0 };
  const header = readJson(text.slice(0, end));
  const [problem] = header?.problems ?? [];
  if (!header || problem) return { header: notRead(problem?.reason ?? 'the JSON is not an object'), end: 0 };
  // The object begins on the first line, not below a line of marks.
  const written = header.written.map((fact) => ({ ...fact, line: fact.line - 1 }));
  return { header: { ...header, written }, end: text.indexOf('\n', end) + 1 || text.length };
}

/** @returns the offset after the closing brace; a negative number without one */
function endOfObject(text: string): number {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (token === '{') depth++;
    else if (token === '}') depth--;
    if (depth === 0) return index + 1;
  }
  return -1;
}

/** The parts of a file. */
export interface SplitText extends ReadHeader {
  readonly body: string;
  /** First line of the body in the file, from 1. */
  readonly bodyLine: number;
}

/** A form of front matter between two lines of marks. */
interface Fence {
  readonly opening: RegExp;
  readonly closing: RegExp;
  /** The first line of the content, without which there is no front matter. */
  readonly looksRight: (content: string) => boolean;
  /** A first line that is certainly front matter, even without an end. */
  readonly certain: RegExp;
  /** @returns null for a text that is not front matter */
  readonly read: (content: string) => ReadHeader | null;
}

const TOML_LINE = /^[ \t]*(?:#.*|\[{1,2}[^[\]\n]+\]{1,2}|[\w."'-]+[ \t]*=.*)?$/;
const TOML: Omit<Fence, 'opening' | 'closing'> = {
  looksRight: (content) => TOML_LINE.test(firstLine(content)),
  certain: /^[\w-]+[ \t]*=[ \t]*\S/,
  read: readToml,
};
const JSON_FENCE: Omit<Fence, 'opening' | 'closing'> = {
  looksRight: (content) => /^["{]/.test(content.trim()),
  certain: /^[ \t]*["{]/,
  read: readJson,
};

/** `---toml` and `---json` name the language, as gray-matter reads them (Eleventy, Docusaurus). */
const FENCES: readonly Fence[] = [
  {
    opening: /^---(?:ya?ml)?[ \t]*\n/,
    closing: /^(?:---|\.\.\.)[ \t]*$/gm,
    looksRight: (content) => looksLikeMap(content),
    certain: /^[a-z][\w-]*:(?: \S|$)/,
    read: readYaml,
  },
  { opening: /^\+\+\+[ \t]*\n/, closing: /^\+\+\+[ \t]*$/gm, ...TOML },
  { opening: /^---toml[ \t]*\n/, closing: /^---[ \t]*$/gm, ...TOML },
  { opening: /^;;;[ \t]*\n/, closing: /^;;;[ \t]*$/gm, ...JSON_FENCE },
  { opening: /^---json[ \t]*\n/, closing: /^---[ \t]*$/gm, ...JSON_FENCE },
];

/**
 * Splits the front matter from the top of a file: YAML between `---` and `---` (or `...`), TOML between `+++`, JSON between
 * `;;;` or as an object. If it is not a map, the file has no front matter. Invalid YAML and TOML are read entry by entry and
 * give a problem; front matter without an end stays in the text, and gives one too.
 */
export function splitFrontMatter(text: string): SplitText {
  // Astro and Zola allow blank lines above it.
  const [blank = ''] = /^(?:[ \t]*\n){1,20}(?=---|\+{3})/.exec(text) ?? [];
  const split = splitAtTop(text.slice(blank.length));
  if (blank === '') return split;
  const lines = blank.split('\n').length - 1;
  const moved = <Fact extends { readonly line: number }>(facts: readonly Fact[]): Fact[] =>
    facts.map((fact) => ({ ...fact, line: fact.line + lines }));
  const { bodyLine, written, problems } = split;
  const header = { ...split, written: moved(written), problems: moved(problems) };
  return bodyLine === 1 ? { ...header, body: text } : { ...header, bodyLine: bodyLine + lines };
}

function splitAtTop(text: string): SplitText {
  const fence = FENCES.find(({ opening }) => opening.test(text));
  if (!fence) {
    const json = splitJson(text);
    return json ? textAfter(text, json.end, json.header) : textAfter(text, 0, NOTHING_READ);
  }
  const start = fence.opening.exec(text)?.[0].length ?? 0;
  const closing = new RegExp(fence.closing);
  closing.lastIndex = start;
  const end = closing.exec(text);
  if (!end) {
    const isCertain = fence.certain.test(firstLine(text.slice(start)));
    return textAfter(text, 0, isCertain ? notRead('no line ends it') : NOTHING_READ);
  }
  const content = text.slice(start, end.index);
  const header = fence.looksRight(content) ? fence.read(content) : null;
  return header ? textAfter(text, end.index + end[0].length + 1, header) : textAfter(text, 0, NOTHING_READ);
}

/** @param end  offset after the front matter */
export function textAfter(text: string, end: number, header: ReadHeader): SplitText {
  const above = `${text}\n`.slice(0, end);
  return { ...header, body: text.slice(end), bodyLine: 1 + (above.match(/\n/g)?.length ?? 0) };
}

function looksLikeMap(yaml: string): boolean {
  const line = firstLine(yaml);
  return line === '' || KEY_LINE.test(line.trimStart());
}

/** The first line that is not blank and not a comment; '' without one. */
function firstLine(content: string): string {
  return content.split('\n', 200).find((line) => line.trim() !== '' && !/^\s*#/.test(line)) ?? '';
}
