import { posix } from 'node:path';
import { withoutLiterals } from '../reading/rst/inline/references.js';
import { toSourceLines } from '../reading/rst/source-line.js';
import { fileAt, foldersUp, type IncludePlace, joined, type Lines } from './inclusion.js';

/** The first line of a directive that includes a file, which can begin a list item or a cell. */
const DIRECTIVE =
  /^( {0,100}(?:(?:[-*+•]|#\.|\d{1,4}\.) {1,20}){0,5})\.\. ((?:literal)?include(?=::[ \t]+\S)|csv-table)::[ \t]*(.*)$/;
const HAS_INCLUDES = /\.\. (?:(?:literal)?include|csv-table)::/;
const OPTION = /^ *:([\w-]{1,40}):(?: +(.*))?$/;
const MAX_RANGES = 100;
const LINES = /^(\d{1,7})?(-)?(\d{1,7})?$/;
/** The start of a function or class of Python. */
const DEFINITION = /^ *(?:async +)?(?:def|class) +(\w+)/;
const LANGUAGES = new Map([
  ['py', 'python'],
  ['js', 'javascript'],
  ['ts', 'typescript'],
]);

type Options = ReadonlyMap<string, string>;

/** A directive of Sphinx that includes a file, also as MyST writes it. */
export interface IncludeDirective {
  readonly name: string;
  readonly target: string;
  readonly options: Options;
  /** Of its first line, from 1. */
  readonly line: number;
}

/** Options such as `:start-after: text`, one a line. */
export function readOptions(lines: Lines): Options {
  return new Map(
    lines.flatMap((line) => {
      const [, name, value = ''] = OPTION.exec(line) ?? [];
      return name === undefined ? [] : [[name, value.trim()] as const];
    }),
  );
}

/** The lines that `include` shows; its texts can stand within a line. */
function textPart(lines: Lines, options: Options): Lines | null {
  const [first, last] = [options.get('start-line'), options.get('end-line')];
  // Negative numbers count from the end, as in Python.
  let text = lines.slice(Number(first ?? 0), last === undefined ? undefined : Number(last)).join('\n');
  const after = options.get('start-after');
  const start = after === undefined ? 0 : text.indexOf(after);
  if (start < 0) return null;
  text = text.slice(start + (after?.length ?? 0));
  const before = options.get('end-before');
  const end = before === undefined ? text.length : text.indexOf(before);
  return end < 0 ? null : text.slice(0, end).split('\n');
}

/** The lines of a function or class of Python: `Class.method`. */
function pythonObject(lines: Lines, name: string): Lines | null {
  return name.split('.').reduce<Lines | null>((within, part) => {
    const isStart = (line: string): boolean => DEFINITION.exec(line)?.[1] === part;
    const start = within?.findIndex(isStart) ?? -1;
    if (!within || start < 0) return null;
    const depth = within[start]?.search(/\S/) ?? 0;
    const rest = within.slice(start + 1);
    const end = rest.findIndex((line) => line.trim() !== '' && line.search(/\S/) <= depth);
    return within.slice(start, end < 0 ? undefined : start + 1 + end);
  }, lines);
}

/** The lines from the one with a text, or from the one after it. */
function linesFrom(
  lines: Lines,
  { at, after }: { at: string | undefined; after: string | undefined },
): Lines | null {
  const text = at ?? after;
  if (text === undefined) return lines;
  const found = lines.findIndex((line) => line.includes(text));
  return found < 0 ? null : lines.slice(found + (at === undefined ? 1 : 0));
}

/** The lines up to the one with a text, or to the one before it; not found in the first line. */
function linesTo(
  lines: Lines,
  { at, before }: { at: string | undefined; before: string | undefined },
): Lines | null {
  const text = at ?? before;
  if (text === undefined) return lines;
  const found = lines.findIndex((line) => line.includes(text));
  return found < 0 ? null : lines.slice(0, found + (at === undefined ? 0 : 1));
}

/** Lines such as `1,3,5-10,20-`. @returns null for too many ranges */
function numberedLines(lines: Lines, written: string): Lines | null {
  const ranges = written.split(',');
  if (ranges.length > MAX_RANGES) return null;
  return ranges.flatMap((range) => {
    const [, first = '1', dash, last = dash ? String(lines.length) : first] = LINES.exec(range.trim()) ?? [];
    return lines.slice(Math.max(0, Number(first) - 1), Number(last));
  });
}

/** The lines that `literalinclude` shows. */
function codePart(lines: Lines, options: Options): Lines | null {
  const name = options.get('pyobject');
  const within = name === undefined ? lines : pythonObject(lines, name);
  const from =
    within && linesFrom(within, { at: options.get('start-at'), after: options.get('start-after') });
  const part = from && linesTo(from, { at: options.get('end-at'), before: options.get('end-before') });
  const ranges = options.get('lines');
  return part && (ranges === undefined ? part : numberedLines(part, ranges));
}

/** The paths that the target of a directive can have: from the root of the site, or from the page or the file. */
function pathsFor(target: string, place: IncludePlace): readonly string[] {
  if (!target.startsWith('/'))
    return [place.page, fileAt(place)].map((file) => joined(posix.dirname(file), target));
  const folders = foldersUp(place.page);
  const root = folders.find((folder) => place.inclusion.files.has(joined(folder, 'conf.py')));
  return (root === undefined ? folders : [root]).map((folder) => joined(folder, target.slice(1)));
}

/** The text that a directive shows. */
export interface ShownFile {
  readonly lines: Lines;
  /** The language of code; null for markup, in which includes are followed. */
  readonly language: string | null;
  readonly place: IncludePlace;
}

/** Reads what a directive includes. @returns null if it can't be read, which is noted */
export function readDirective(
  { name, target, options, line }: IncludeDirective,
  place: IncludePlace,
): ShownFile | null {
  const isCode = name === 'literalinclude' || options.has('literal') || options.has('code');
  const refused = target.startsWith('<')
    ? 'is a file of docutils'
    : options.has('parser') && !isCode
      ? 'is in the markup of another parser'
      : null;
  if (refused !== null) {
    place.inclusion.miss({ what: target, line }, place, refused);
    return null;
  }
  const select = (lines: Lines): Lines | null =>
    name === 'literalinclude' ? codePart(lines, options) : textPart(lines, options);
  const paths = pathsFor(target, place);
  const found = place.inclusion.open({ paths, what: target, line }, place, select);
  if (!found) return null;
  const extension = posix.extname(found.path).slice(1);
  const language =
    (options.get('language') ?? options.get('code')) || (LANGUAGES.get(extension) ?? extension);
  return { lines: found.lines, language: isCode ? language : null, place: found.place };
}

interface FoundDirective extends IncludeDirective {
  readonly prefix: string;
  readonly end: number;
  /** Of a table whose rows are in a file. */
  readonly title?: string;
}

/** The directive at a line, and the position after its options; null for another line. */
function directiveAt(lines: Lines, at: number): FoundDirective | null {
  const [, prefix = '', name, target = ''] = DIRECTIVE.exec(lines[at] ?? '') ?? [];
  if (name === undefined) return null;
  let end = at + 1;
  while (OPTION.test(lines[end] ?? '') && (lines[end] ?? '').search(/\S/) > prefix.length) end++;
  const options = readOptions(lines.slice(at + 1, end));
  const common = { name, prefix, end, options, line: at + 1 };
  if (name !== 'csv-table') return { ...common, target };
  const file = options.get('file');
  return file === undefined ? null : { ...common, target: file, title: target };
}

/** Puts the files into a text that `include` and `literalinclude` name, outside of its blocks of code. */
export function expandRst(text: string, place: IncludePlace): string {
  if (!HAS_INCLUDES.test(text)) return text;
  const written = text.split('\n');
  const source = toSourceLines(text);
  const lines = source.map((line) => line.text);
  const isProse = new Set(withoutLiterals(source));
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const directive = isProse.has(at) ? directiveAt(lines, at) : null;
    const shown = directive && readDirective(directive, place);
    if (!directive || !shown) {
      out.push(written[at] ?? '');
      continue;
    }
    const body =
      directive.title !== undefined
        ? tableBlock(directive, shown)
        : shown.language === null
          ? expandRst(shown.lines.join('\n'), shown.place).split('\n')
          : codeBlock(shown, directive.options.get('caption'));
    out.push(...indented(body, directive.prefix));
    at = directive.end - 1;
  }
  return out.join('\n');
}

function codeBlock({ lines, language }: ShownFile, caption: string | undefined): Lines {
  const head = [`.. code-block:: ${language ?? ''}`, ...(caption ? [`   :caption: ${caption}`] : []), ''];
  return [...head, ...lines.map((line) => `   ${line}`)];
}

/** A table with the rows of its file. */
function tableBlock({ title = '', options }: FoundDirective, { lines }: ShownFile): Lines {
  const others = [...options].filter(([name]) => !['file', 'encoding'].includes(name));
  const head = [`.. csv-table:: ${title}`, ...others.map(([name, value]) => `   :${name}: ${value}`), ''];
  return [...head, ...lines.map((line) => `   ${line}`)];
}

/** Lines in the place of a directive, between blank lines as docutils puts them. @param prefix  can have the mark of an item */
function indented(lines: Lines, prefix: string): Lines {
  const margin = ' '.repeat(prefix.length);
  const below = lines.map((line) => (line.trim() === '' ? '' : margin + line));
  if (prefix.trim() === '') return ['', ...below, ''];
  const first = below.findIndex((line) => line !== '');
  return first < 0 ? [] : [prefix + (below[first] ?? '').slice(prefix.length), ...below.slice(first + 1), ''];
}
