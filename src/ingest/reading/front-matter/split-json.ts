import { MAX_FRONT_MATTER_CHARS, notRead, type ReadHeader } from './read-header.js';
import { readYaml } from './read-yaml.js';

const OBJECT = /^\{\s{0,200}"[^"\n]{1,200}"\s{0,20}:/;
/** A text, which may have no end, or a brace. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|$)|[{}]/gs;

/** Reads the entries of an object, also without its braces. JSON is YAML. */
export function readJson(json: string): ReadHeader | null {
  return readYaml(json.trimStart().startsWith('{') ? json : `{${json}}`);
}

/**
 * Splits an object from the top of a file, as Hugo reads it. One that can't be read stays in the text.
 * @returns null if the file begins with other text; `end` is the offset of the text after the object
 */
export function splitJson(text: string): { readonly header: ReadHeader; readonly end: number } | null {
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
