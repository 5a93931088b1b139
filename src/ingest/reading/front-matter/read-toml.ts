import { parse, TomlDate, TomlError } from 'smol-toml';
import type { WrittenFact } from '../parsed-document.js';
import {
  isMap,
  levelBelow,
  MAX_FRONT_MATTER_CHARS,
  notRead,
  type ReadHeader,
  UNFOLDED,
  unfolded,
} from './read-header.js';

const ENTRY = /^[ \t]*(?:"([^"\\]{1,200})"|'([^']{1,200})'|([\w-]{1,200}))[ \t]*=[ \t]*(\S.*)$/;
const TABLE = /^[ \t]*\[{1,2}([^[\]]{1,200})\]/;
/** More broken entries than this are not left out one by one. */
const MAX_BROKEN = 20;

/** Reads TOML that begins on the second line of a file; an entry that is broken is left out and in `problems`. */
export function readToml(toml: string): ReadHeader {
  if (toml.length > MAX_FRONT_MATTER_CHARS)
    return notRead(`longer than ${MAX_FRONT_MATTER_CHARS} characters`);
  const lines = toml.split('\n');
  let first: TomlError | undefined;
  for (let tries = 0; tries <= MAX_BROKEN; tries++) {
    try {
      const value = asWritten(parse(lines.join('\n')));
      const frontMatter = isMap(value) ? unfolded(value) : {};
      return { frontMatter, written: writtenFacts(frontMatter, lines), problems: problemsOf(first) };
    } catch (error) {
      if (!(error instanceof TomlError)) return notRead('the TOML is nested too deeply');
      first ??= error;
      blankEntry(lines, error.line - 1);
    }
  }
  return notRead(reasonOf(first));
}

/** Empties the lines of an entry, so that the lines of the others stay. */
function blankEntry(lines: string[], at: number): void {
  const isStart = (line: string): boolean => ENTRY.test(line) || TABLE.test(line);
  const start = Math.max(0, lines.slice(0, at + 1).findLastIndex(isStart));
  const next = lines.slice(at + 1).findIndex(isStart);
  lines.fill('', start, next < 0 ? lines.length : at + 1 + next);
}

const reasonOf = (error: TomlError | undefined): string =>
  (error?.message.split('\n', 1)[0] ?? '').replace(/^Invalid TOML document: /, '');

function problemsOf(error: TomlError | undefined): ReadHeader['problems'] {
  if (error === undefined) return [];
  return [{ line: 1 + error.line, reason: `front matter partly read: ${reasonOf(error)}` }];
}

/** Dates as texts, as in YAML. */
function asWritten(value: unknown): unknown {
  if (value instanceof TomlDate) return value.toISOString();
  if (Array.isArray(value)) return value.map(asWritten);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, own]) => [key, asWritten(own)]));
}

/** The entries that fit on a line. Those of maps that are unfolded come first, as later ones take precedence. */
function writtenFacts(frontMatter: ReadHeader['frontMatter'], lines: readonly string[]): WrittenFact[] {
  const own: WrittenFact[] = [];
  const unfoldedFacts: WrittenFact[] = [];
  let table = '';
  for (const [at, text] of lines.entries()) {
    table = TABLE.exec(text)?.[1]?.trim() ?? table;
    const [, double, single, bare, raw = ''] = ENTRY.exec(text) ?? [];
    const key = double ?? single ?? bare;
    const below = levelBelow(table);
    const map = below === null || below === 'top' ? frontMatter : frontMatter[below];
    if (key === undefined || below === null || !isMap(map)) continue;
    const fact = { below, key, value: writtenValue(map[key], raw), line: at + 2 };
    (UNFOLDED.includes(table) ? unfoldedFacts : own).push(fact);
  }
  return [...unfoldedFacts, ...own];
}

/** A value as written: the parser would read 7.10 as 7.1. Null for a list or a map. */
function writtenValue(value: unknown, raw: string): string | null {
  if (typeof value === 'object' || value === undefined) return null;
  return typeof value === 'string' && /^["']/.test(raw) ? value : (raw.split('#', 1)[0] ?? '').trimEnd();
}
