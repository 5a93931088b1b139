import { posix } from 'node:path';

/** Reads a file of the corpus by its path; null if it is not a small text file inside the indexed folder. */
export type ReadIncluded = (path: string) => string | null;

/** More and larger includes are left as written. */
const MAX_INCLUDES = 100;
const MAX_CHARS = 100_000;
/** A line in which MkDocs shows the code of a file: `{* ../src/a.py ln[1:5] hl[3] *}`. */
const CODE = /^[ \t]*\{\*[ \t]+(\S{1,500})([^{}\n]{0,500})\*\}[ \t]*$/;
/** A line in which PyMdown inserts a file, or a section or lines of it: `--8<-- "a.md:section"`. */
const SNIPPET = /^([ \t]*)-{1,4}8<-{1,4}[ \t]+["']([^"'\n]{1,500})["'][ \t]*$/;
/** A line in which mdBook inserts a file, or a section or lines of it: `{{#include a.rs:section}}`. */
const MDBOOK =
  /^([ \t]*)\{\{#(?:include|rustdoc_include|playground|playpen)[ \t]+([^\s{}"']{1,500})(?:[ \t][^{}\n]{0,200})?\}\}[ \t]*$/;
/** A line in which VitePress shows the code of a file, or of a region of it: `<<< @/a.ts#region{2}`. */
const VITEPRESS =
  /^[ \t]*<<<[ \t]+(?:@\/)?([^\s{}#]{1,500})(?:#([\w-]{1,100}))?(?:[ \t]*\{[^{}\n]{0,200}\})?[ \t]*$/;
/** A line in which VitePress inserts a file, or a region or lines of it: `<!--@include: ./a.md#region{1,3}-->`. */
const COMMENT =
  /^([ \t]*)<!--[ \t]*@include:[ \t]*(?:@\/)?([^\s{}#]{1,500})(?:#([\w-]{1,100}))?(?:\{([\d,]{1,20})\})?[ \t]*-->[ \t]*$/;
/** The starts of the lines above. */
const START =
  /^[ \t]*(?:\{\*[ \t]|-{1,4}8<-{1,4}[ \t]+["']|\{\{#(?:include|rustdoc_include|playground|playpen)[ \t]|<<<[ \t]|<!--[ \t]*@include:)/m;
/** The marks of MkDocs, mdBook and VitePress at the start and the end of a section in an included file. */
const SECTION = /-{1,4}8<-{1,4}[ \t]+\[[ \t]*(?:start|(?<end>end))[ \t]*:[ \t]*(?<name>[\w-]+)[ \t]*\]/;
const ANCHOR = /\bANCHOR(?<end>_END)?:[ \t]*(?<name>[\w-]+)[ \t]*(?:(?:-->|\*\/)[ \t]*)?$/;
/** Only a comment with nothing else on its line is a mark, or a line of C# such as `#region run`. */
const REGION =
  /^[ \t]*(?:(?:\/\/|\/\*|<!--|\(\*|--|::|@?REM|[#;%'])[ \t]*)?#(?:region|(?<end>endregion))\b(?:[ \t]+(?<name>[\w-]+))?[ \t]*(?:(?:\*\/|-->|\*\))[ \t]*)?$/;
const RANGE = /(\d{1,7})?(:)?(\d{1,7})?/;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/** The file at a path relative to the folder of the page, or else to a folder above it. */
function findIncluded(page: string, path: string, read: ReadIncluded): string | null {
  if (path.startsWith('/') || path.includes('\\')) return null;
  for (let folder = posix.dirname(page); ; folder = posix.dirname(folder)) {
    const target = posix.normalize(posix.join(folder, path)).normalize('NFC');
    const text = target.startsWith('..') ? null : read(target);
    if (text !== null) return text.length <= MAX_CHARS ? text.trimEnd() : null;
    if (folder === '.') return null;
  }
}

/** The lines of a range such as `2:5`, `2:`, `:5` or `2`, from 1. */
function linesOf(lines: readonly string[], range: string): readonly string[] {
  const [, first = '1', colon, last = colon ? String(lines.length) : first] = RANGE.exec(range) ?? [];
  return lines.slice(Math.max(0, Number(first) - 1), Number(last));
}

interface Mark {
  readonly isEnd: boolean;
  /** Empty at the end of a region without a name. */
  readonly name: string;
}

function readMark(line: string, marks: RegExp): Mark | null {
  const groups = marks.exec(line)?.groups;
  return groups ? { isEnd: groups['end'] !== undefined, name: groups['name'] ?? '' } : null;
}

/** The lines between the marks of a section, which may end with the file; null if it has no such section. */
function sectionOf(lines: readonly string[], name: string, marks: RegExp): readonly string[] | null {
  const read = (line: string): Mark | null => readMark(line, marks);
  const start = lines.map(read).findIndex((mark) => mark?.isEnd === false && mark.name === name);
  if (start < 0) return null;
  const below = lines.slice(start + 1);
  const end = below.map(read).findIndex((mark) => mark?.isEnd === true && [name, ''].includes(mark.name));
  return end < 0 ? below : below.slice(0, end);
}

const withoutMarks = (lines: readonly string[], marks: RegExp): string[] =>
  lines.filter((line) => !marks.test(line));

/** A block of code that no line of it ends. */
function fenced(path: string, lines: readonly string[]): readonly string[] {
  const longest = Math.max(2, ...(lines.join('\n').match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [fence + posix.extname(path).slice(1), ...lines, fence];
}

type Lines = readonly string[] | null;
/** The lines of a file that a page includes; null if it can't be read. */
type ReadLines = (path: string) => Lines;

function codeLines(line: string, read: ReadLines): Lines {
  const [, path = '', options = ''] = CODE.exec(line) ?? [];
  const all = read(path);
  const ranges = /\bln\[([\d:,]{1,200})\]/.exec(options)?.[1]?.split(',') ?? [':'];
  return (
    all &&
    fenced(
      path,
      withoutMarks(
        ranges.flatMap((range) => linesOf(all, range)),
        SECTION,
      ),
    )
  );
}

function regionLines(line: string, read: ReadLines): Lines {
  const [, path = '', region] = VITEPRESS.exec(line) ?? [];
  const all = read(path);
  const lines = all && region ? sectionOf(all, region, REGION) : all;
  return lines && fenced(path, withoutMarks(lines, REGION));
}

/** The indentation of an include, the path of its file and the part of it; `''` for the whole file. */
function readSnippet(line: string): readonly string[] {
  const [, margin = '', file = '', region, range = ''] = COMMENT.exec(line) ?? [];
  if (file !== '') return [margin, file, region ?? range.replace(',', ':')];
  const [, indent = '', written = ''] = SNIPPET.exec(line) ?? MDBOOK.exec(line) ?? [];
  const [, path = '', part = ''] = /^([^:]+)(?::(.*))?$/.exec(written) ?? [];
  return [indent, path, part];
}

function snippetLines(line: string, read: ReadLines): Lines {
  const [indent = '', path = '', part = ''] = readSnippet(line);
  const all = read(path);
  if (!all) return null;
  const marks = SNIPPET.test(line) ? SECTION : MDBOOK.test(line) ? ANCHOR : REGION;
  const isRange = /^[\d:]*$/.test(part);
  const lines = part === '' ? all : isRange ? linesOf(all, part) : sectionOf(all, part, marks);
  return lines && withoutMarks(lines, marks).map((inserted) => (inserted === '' ? '' : indent + inserted));
}

/** The function that reads the lines to insert in place of a line; null if the line includes nothing. */
function includedBy(line: string, isInFence: boolean): typeof codeLines | null {
  if (SNIPPET.test(line) || MDBOOK.test(line)) return snippetLines;
  if (isInFence) return null;
  if (COMMENT.test(line)) return snippetLines;
  if (CODE.test(line)) return codeLines;
  return VITEPRESS.test(line) ? regionLines : null;
}

/** True if a line of a page starts like an include, in an example of code too. */
export const hasIncludes = (text: string): boolean => START.test(text);

/**
 * Inserts the files that a page of MkDocs, mdBook or VitePress includes. An include that can't be read stays as written,
 * and such lines are never quoted. Includes in included files are not followed.
 * @param page  path of the page, relative to the indexed folder
 */
export function expandIncludes(text: string, page: string, read: ReadIncluded): string {
  if (!hasIncludes(text)) return text;
  const readLines: ReadLines = (path) =>
    path === '' ? null : (findIncluded(page, path, read)?.split('\n') ?? null);
  let left = MAX_INCLUDES;
  let fence = '';
  const lines = text.split('\n').flatMap((line) => {
    const marks = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence)) fence = '';
    const include = includedBy(line, fence !== '');
    if (left === 0 || !include) return [line];
    left--;
    return include(line, readLines) ?? [line];
  });
  return lines.join('\n');
}
