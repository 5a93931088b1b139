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
const SECTION_MARK = /-{1,4}8<-{1,4}[ \t]+\[[ \t]*(start|end)[ \t]*:[ \t]*([\w-]+)[ \t]*\]/;
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

/** The lines between the marks of a section; null if it has no such section. */
function sectionOf(lines: readonly string[], name: string): readonly string[] | null {
  const markAt = (side: string): number =>
    lines.findIndex((line) => {
      const [, found, section] = SECTION_MARK.exec(line) ?? [];
      return found === side && section === name;
    });
  const [start, end] = [markAt('start'), markAt('end')];
  return start < 0 || end < start ? null : lines.slice(start + 1, end);
}

const withoutMarks = (lines: readonly string[]): string[] => lines.filter((line) => !SECTION_MARK.test(line));

function codeLines(page: string, line: string, read: ReadIncluded): readonly string[] | null {
  const [, path = '', options = ''] = CODE.exec(line) ?? [];
  const text = path === '' ? null : findIncluded(page, path, read);
  if (text === null) return null;
  const all = text.split('\n');
  const ranges = /\bln\[([\d:,]{1,200})\]/.exec(options)?.[1]?.split(',') ?? [`1:${all.length}`];
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  const language = posix.extname(path).slice(1);
  return [fence + language, ...withoutMarks(ranges.flatMap((range) => linesOf(all, range))), fence];
}

function snippetLines(page: string, line: string, read: ReadIncluded): readonly string[] | null {
  const [, indent = '', written = ''] = SNIPPET.exec(line) ?? [];
  const [, path = '', part = ''] = /^([^:]+)(?::(.*))?$/.exec(written) ?? [];
  const text = path === '' ? null : findIncluded(page, path, read);
  if (text === null) return null;
  const all = text.split('\n');
  const isRange = /^[\d:]*$/.test(part);
  const lines = part === '' ? all : isRange ? linesOf(all, part) : sectionOf(all, part);
  return lines && withoutMarks(lines).map((inserted) => (inserted === '' ? '' : indent + inserted));
}

/**
 * Inserts the files that a page of MkDocs includes. An include that can't be read stays as written, and such lines are
 * never quoted. Includes in included files are not followed.
 * @param page  path of the page, relative to the indexed folder
 */
export function expandIncludes(text: string, page: string, read: ReadIncluded): string {
  if (!/\{\*|8<-/.test(text)) return text;
  let left = MAX_INCLUDES;
  let fence = '';
  const lines = text.split('\n').flatMap((line) => {
    const marks = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence)) fence = '';
    const isCode = CODE.test(line) && fence === '';
    if (left === 0 || !(isCode || SNIPPET.test(line))) return [line];
    left--;
    return (isCode ? codeLines : snippetLines)(page, line, read) ?? [line];
  });
  return lines.join('\n');
}
