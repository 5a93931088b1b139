import { posix } from 'node:path';
import {
  type CorpusFiles,
  fileAt,
  foldersUp,
  type Included,
  type IncludePlace,
  joined,
  type Lines,
} from './inclusion.js';
import { readDirective, readOptions } from './rst-includes.js';

/** A line in which MkDocs shows the code of a file: `{* ../src/a.py ln[1:5] hl[3] *}`. */
const CODE = /^[ \t]*\{\*[ \t]+(\S{1,500})([^{}\n]{0,500})\*\}[ \t]*$/;
/** A line in which PyMdown inserts a file, or a section or lines of it: `--8<-- "a.md:section"`. */
const SNIPPET = /^([ \t]{0,100})-{1,4}8<-{1,4}[ \t]+["']([^"'\n]{1,500})["'][ \t]*$/;
/** A line in which mdBook inserts a file, or a section or lines of it: `{{#include a.rs:section}}`. */
const MDBOOK =
  /^([ \t]{0,100})\{\{#(?:include|rustdoc_include|playground|playpen)[ \t]+([^\s{}"']{1,500})(?:[ \t][^{}\n]{0,200})?\}\}[ \t]*$/;
/** The file of a playground is a block of code. */
const PLAYGROUND = /^[ \t]*\{\{#play/;
/** A line in which VitePress shows the code of a file, or of a region of it: `<<< @/a.ts#region{2}`. */
const VITEPRESS =
  /^[ \t]*<<<[ \t]+(?:@\/)?([^\s{}#]{1,500})(?:#([\w-]{1,100}))?(?:[ \t]*\{[^{}\n]{0,200}\})?(?:[ \t]*\[[^[\]\n]{0,200}\])?[ \t]*$/;
/** A line in which VitePress inserts a file, or a region or lines of it: `<!--@include: ./a.md#region{1,3}-->`. */
const COMMENT =
  /^([ \t]{0,100})<!--[ \t]*@include:[ \t]*(?:@\/)?([^\s{}#]{1,500})(?:#([\w-]{1,100}))?(?:\{([\d,]{1,20})\})?[ \t]*-->[ \t]*$/;
/** The starts of the lines above. */
const START =
  /^[ \t]*(?:\{\*[ \t]|-{1,4}8<-{1,4}(?:[ \t]+["']|[ \t]*$)|(?:`{3,20}|~{3,20}|:{3,20})\{(?:literal)?include\}|\{\{#(?:include|rustdoc_include|playground|playpen)[ \t]|<<<[ \t]|<!--[ \t]*@include:)/m;
/** The line above and below the files that PyMdown inserts. */
const BLOCK = /^([ \t]{0,100})(-{1,4}8<-{1,4})[ \t]*$/;
/** The first line of an include of MyST: "```{include} a.md". */
const MYST = /^([ \t]{0,100})(`{3,20}|~{3,20}|:{3,20})\{((?:literal)?include)\}[ \t]+(\S.{0,500})$/;
const MAX_BLOCK_LINES = 100;
/** The marks of MkDocs, mdBook and VitePress at the start and the end of a section in an included file. */
const SECTION = /-{1,4}8<-{1,4}[ \t]+\[[ \t]*(?:start|(?<end>end))[ \t]*:[ \t]*(?<name>[\w-]+)[ \t]*\]/;
const ANCHOR = /\bANCHOR(?<end>_END)?:[ \t]*(?<name>[\w-]+)[ \t]*(?:(?:-->|\*\/)[ \t]*)?$/;
/** Only a comment with nothing else on its line is a mark, or a line of C# such as `#region run`. */
const REGION =
  /^[ \t]*(?:(?:\/\/|\/\*|<!--|\(\*|--|::|@?REM|[#;%'])[ \t]*)?#(?:region|(?<end>endregion))\b(?:[ \t]+(?<name>[\w-]+))?[ \t]*(?:(?:\*\/|-->|\*\))[ \t]*)?$/;
const RANGE = /(\d{1,7})?(:)?(\d{1,7})?/;
const FENCE = /^[ \t>]*(`{3,}|~{3,})/;

/** The lines of a range such as `2:5`, `2:`, `:5` or `2`, from 1. */
function selectLines(lines: Lines, range: string): Lines {
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
function selectSection(lines: Lines, name: string, marks: RegExp): Lines | null {
  const read = (line: string): Mark | null => readMark(line, marks);
  const start = lines.map(read).findIndex((mark) => mark?.isEnd === false && mark.name === name);
  if (start < 0) return null;
  const below = lines.slice(start + 1);
  const end = below.map(read).findIndex((mark) => mark?.isEnd === true && [name, ''].includes(mark.name));
  return end < 0 ? below : below.slice(0, end);
}

const withoutMarks = (lines: Lines, marks: RegExp): string[] => lines.filter((line) => !marks.test(line));

/** A block of code that no line of it ends. */
export function codeFence(path: string, lines: Lines): Lines {
  const longest = Math.max(2, ...(lines.join('\n').match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [fence + posix.extname(path).slice(1), ...lines, fence];
}

/** An include: the file, the part of it, and how it is shown. */
interface MarkdownInclude {
  /** Relative to the folder of the page, or to one above it. */
  readonly path: string;
  readonly margin: string;
  /** True for code: its lines get a fence, and includes in them are not followed. */
  readonly isCode: boolean;
  readonly select: (lines: Lines) => Lines | null;
}

/** `{* ../src/a.py ln[1:5] *}` of MkDocs. */
function readCode(line: string): MarkdownInclude | null {
  const [, path, options = ''] = CODE.exec(line) ?? [];
  if (path === undefined) return null;
  const ranges = /\bln\[([\d:,]{1,200})\]/.exec(options)?.[1]?.split(',') ?? [':'];
  const select = (all: Lines): Lines =>
    withoutMarks(
      ranges.flatMap((range) => selectLines(all, range)),
      SECTION,
    );
  return { path, margin: '', isCode: true, select };
}

/** `<<< @/a.ts#region` of VitePress. */
function readRegion(line: string): MarkdownInclude | null {
  const [, path, region] = VITEPRESS.exec(line) ?? [];
  if (path === undefined) return null;
  const select = (all: Lines): Lines | null => {
    const lines = region ? selectSection(all, region, REGION) : all;
    return lines && withoutMarks(lines, REGION);
  };
  return { path, margin: '', isCode: true, select };
}

/** `<!--@include: ./a.md#region{1,3}-->` of VitePress. */
function readComment(line: string): MarkdownInclude | null {
  const [, margin = '', path, region, range = ''] = COMMENT.exec(line) ?? [];
  if (path === undefined) return null;
  return { path, margin, isCode: false, select: partSelector(region ?? range.replace(',', ':'), REGION) };
}

/** `--8<-- "a.md:section"` of PyMdown, and `{{#include a.rs:anchor}}` of mdBook. */
function readSnippet(line: string, isInFence: boolean): MarkdownInclude | null {
  const [, margin = '', written = ''] = SNIPPET.exec(line) ?? MDBOOK.exec(line) ?? [];
  const [, path, part = ''] = /^([^:]+)(?::(.*))?$/.exec(written) ?? [];
  if (path === undefined) return null;
  const select = partSelector(part, SNIPPET.test(line) ? SECTION : ANCHOR);
  return { path, margin, isCode: PLAYGROUND.test(line) && !isInFence, select };
}

/** @param part  a range of lines, the name of a section, or `''` for the whole file */
function partSelector(part: string, marks: RegExp): MarkdownInclude['select'] {
  return (all) => {
    const isRange = /^[\d:]*$/.test(part);
    const lines = part === '' ? all : isRange ? selectLines(all, part) : selectSection(all, part, marks);
    return lines && withoutMarks(lines, marks);
  };
}

/** Reads an include of a line; null if it includes nothing. MkDocs and mdBook look into code, too. */
function readInclude(line: string, isInFence: boolean): MarkdownInclude | null {
  const found = readSnippet(line, isInFence);
  return found ?? (isInFence ? null : (readComment(line) ?? readCode(line) ?? readRegion(line)));
}

/** The folders of snippets in the settings of MkDocs: in brackets, in lines, or a single one. */
const BASE_PATH =
  /^[ \t]*base_path:(?:[ \t]*\[([^\]]{1,1000})\]|((?:[ \t]*\n[ \t]*-[^\n]{1,200}){1,20})|([^\n]{1,200}))/m;

/** The settings of each folder are read once: a page can ask for thousands of files that are not there. */
const readFolders = new WeakMap<CorpusFiles, Map<string, readonly string[]>>();

function snippetFolders(folder: string, files: CorpusFiles): readonly string[] {
  const known = readFolders.get(files) ?? new Map<string, readonly string[]>();
  readFolders.set(files, known);
  const read = (): readonly string[] => {
    const [, ...lists] = BASE_PATH.exec(files.read(joined(folder, 'mkdocs.yml')) ?? '') ?? [];
    return (lists.join('') + '\n').match(/[^\s,'"[\]-][^\s,'"]*/g) ?? [];
  };
  const found = known.get(folder) ?? read();
  known.set(folder, found);
  return found;
}

/**
 * The paths that an include can mean: from the folder of its file, from a folder above it, or from a folder that `mkdocs.yml`
 * names there.
 */
function pathsFor(path: string, file: string, files: CorpusFiles): readonly string[] {
  if (path.startsWith('/') || path.includes('\\')) return [];
  const folders = foldersUp(file);
  const paths = folders.map((folder) => joined(folder, path));
  if (paths.some(files.has)) return paths;
  const named = folders.flatMap((folder) =>
    snippetFolders(folder, files).map((base) => joined(folder, posix.join(base, path))),
  );
  return [...paths, ...named];
}

/** An include that spans lines, and the position after it. */
interface LongInclude {
  readonly lines: Lines;
  readonly end: number;
}

/** Several files of PyMdown between two lines of `--8<--`, and includes of MyST. */
function longInclude(lines: Lines, at: number, place: IncludePlace): LongInclude | null {
  const line = lines[at] ?? '';
  const [, margin = '', marks = '', name = '', target = ''] = MYST.exec(line) ?? [];
  const [, indent = '', mark] = BLOCK.exec(line) ?? [];
  if (name === '' && mark === undefined) return null;
  const below = lines.slice(at + 1, at + 1 + MAX_BLOCK_LINES);
  const last = below.findIndex((line) => line.trim().startsWith(mark ?? marks));
  if (last < 0) return null;
  const body = below.slice(0, last);
  if (mark !== undefined)
    return {
      lines: body.flatMap((path, below) =>
        expandLines([`${indent}--8<-- "${path.trim()}"`], place, { first: at + 2 + below }),
      ),
      end: at + last + 2,
    };
  const directive = { name, target: target.trim(), options: unquoted(readOptions(body)), line: at + 1 };
  const shown = readDirective(directive, place);
  if (!shown) return null;
  const inserted =
    shown.language === null
      ? expandLines(shown.lines, shown.place)
      : codeFence(`a.${shown.language}`, shown.lines);
  return { lines: withMargin(inserted, margin), end: at + last + 2 };
}

/** Values without the quotes that MyST allows around them. */
const unquoted = (options: ReadonlyMap<string, string>): ReadonlyMap<string, string> =>
  new Map([...options].map(([name, value]) => [name, value.replace(/^(["'])(.*)\1$/, '$2')]));

const withMargin = (lines: Lines, margin: string): Lines =>
  lines.map((line) => (line === '' ? '' : margin + line));

/** True if a line of a page starts like an include, in an example of code too. */
const hasIncludes = (text: string): boolean => START.test(text);

/**
 * Inserts the files that a page of MkDocs, mdBook, VitePress or MyST includes, and those that they include. An include that
 * can't be read stays as written, and such lines are never quoted.
 */
export function expandIncludes(text: string, place: IncludePlace): string {
  return hasIncludes(text) ? expandLines(text.split('\n'), place).join('\n') : text;
}

/** @param isCode  true for lines of a block of code, which have no fence @param first  the number of the first line */
function expandLines(lines: Lines, place: IncludePlace, { isCode = false, first = 1 } = {}): Lines {
  let fence = '';
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const long = fence === '' && !isCode ? longInclude(lines, at, place) : null;
    if (long) {
      out.push(...long.lines);
      at = long.end - 1;
      continue;
    }
    const marks = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = marks;
    else if (marks.startsWith(fence)) fence = '';
    const isInFence = isCode || fence !== '';
    const include = readInclude(line, isInFence);
    const wanted = include && {
      paths: pathsFor(include.path, fileAt(place), place.inclusion.files),
      what: include.path,
      line: first + at,
    };
    const found = wanted && place.inclusion.open(wanted, place, include.select);
    out.push(
      ...(found
        ? insertedLines(found, include, (part) => expandLines(part, found.place, { isCode: isInFence }))
        : [line]),
    );
  }
  return out;
}

function insertedLines(
  { path, lines }: Included,
  { isCode, margin }: MarkdownInclude,
  expand: (lines: Lines) => Lines,
): Lines {
  return isCode
    ? codeFence(path, lines)
    : withMargin(hasIncludes(lines.join('\n')) ? expand(lines) : lines, margin);
}
