import { posix } from 'node:path';
import type { AsciidocAttributes } from '../reading/parsed-document.js';
import { fileAt, foldersUp, type IncludePlace, joined, type Lines } from './inclusion.js';

const INCLUDE = /^include::([^[]*[^[\s])\[([^\n]*)\]\s*$/;
const HAS_INCLUDES = /^include::/m;
/** `:name: value`, `:!name:` or `:name!:`. */
const ATTRIBUTE = /^:(!?)(\w[\w-]{0,62})(!?):(?:[ \t]+(.*))?$/;
const REFERENCE = /\{(\w[\w-]{0,62})\}/g;
const COMMENT = /^\/{4,}$/;
const ADDRESS = /^[a-z][a-z+.-]{1,20}:\/\//i;
const TAG = /\b(tag|end)::(\S+?)\[\](?=\s|$|-->|\*\/)/;
const LINE_RANGE = /^(\d{1,7})(?:(\.\.)(-?\d{1,7})?)?$/;
/** `version@component:module:partial$file.adoc` of Antora. */
const RESOURCE =
  /^(?:[\w.-]*@)?(?:([\w.-]+):(?=[\w.-]*:))?(?:([\w.-]*):)?(partial|example|page|attachment|image)\$(.+)$/;
/** The component and the module of a page of Antora. */
const MODULE = /^(.*\/|)modules\/([^/]+)\//;
const FAMILIES: Readonly<Record<string, Lines>> = {
  // The second folder is that of Antora 1.
  partial: ['partials', 'pages/_partials'],
  example: ['examples', 'pages/_examples'],
  page: ['pages'],
  attachment: ['attachments'],
  image: ['images'],
};
/** Attributes with the start of such a target. */
const ANTORA: Readonly<Record<string, string>> = {
  partialsdir: 'partial$',
  examplesdir: 'example$',
  attachmentsdir: 'attachment$',
};
const MAX_VALUE_CHARS = 2_000;
const MAX_RANGES = 100;
/** The attribute with the levels that headings are moved by. */
const OFFSET = 'leveloffset';

/** The values of attributes where an include stands; they change from line to line. */
type Values = Map<string, string>;

/** The folders of components of Antora, by their names. */
export type Components = ReadonlyMap<string, Lines>;

export interface AsciidocSite {
  readonly attributes: AsciidocAttributes;
  readonly components: Components;
}

/** @returns the text with the values of attributes; references to unknown ones stay */
const withValues = (text: string, values: Values): string =>
  text.replace(REFERENCE, (written, name: string) => values.get(name.toLowerCase()) ?? written);

/** An offset such as `2`, or `+1`, which adds to the one before it. */
function movedOffset(values: Values, written: string): string {
  const before = /^[+-]/.test(written) ? Number(values.get(OFFSET)) || 0 : 0;
  return String(before + (Number(written) || 0));
}

function readAttribute(line: string, values: Values): void {
  const [, before, name = '', after, value = ''] = ATTRIBUTE.exec(line) ?? [];
  if (name === '') return;
  const given = withValues(value.trim(), values);
  const text = name.toLowerCase() === OFFSET ? movedOffset(values, given) : given;
  if (before !== '' || after !== '') values.delete(name.toLowerCase());
  else if (text.length <= MAX_VALUE_CHARS) values.set(name.toLowerCase(), text);
}

/** The options between the brackets: `tag=a,lines=1..3`, with quotes around values with commas. */
function readAttributes(written: string): ReadonlyMap<string, string> {
  const entries = written.matchAll(/([\w-]{1,40})[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^,]*))/g);
  return new Map(Array.from(entries, ([, name = '', a, b, c]) => [name, (a ?? b ?? c ?? '').trim()]));
}

/** The lines of ranges such as `1..5;8;10..-1`. @returns null for too many ranges */
function rangedLines(lines: Lines, written: string): Lines | null {
  const ranges = written.split(/[,;]/);
  if (ranges.length > MAX_RANGES) return null;
  const wanted = ranges.map((range) => {
    const [, first = '0', dots, last = dots ? '-1' : first] = LINE_RANGE.exec(range.trim()) ?? [];
    return [Number(first), last === '-1' ? lines.length : Number(last)] as const;
  });
  return lines.filter((_, at) => wanted.some(([first, last]) => at + 1 >= first && at + 1 <= last));
}

/** The lines between the marks of tags such as `a;!b` or `**`, without the marks. @returns null without such a tag */
function taggedLines(lines: Lines, tags: string): Lines | null {
  const chosen = new Map(
    tags
      .split(/[,;]/)
      .map((tag) => tag.trim())
      .filter((tag) => tag !== '')
      .map((tag) => [tag.replace(/^!/, ''), !tag.startsWith('!')] as const),
  );
  const isNegative = [...chosen.values()].every((value) => !value);
  const base = chosen.get('**') ?? isNegative;
  const open: { readonly name: string; readonly isShown: boolean }[] = [];
  const found = new Set<string>();
  const shown = lines.filter((line) => {
    const [, kind, name = ''] = TAG.exec(line) ?? [];
    const isShown = open.at(-1)?.isShown ?? base;
    if (kind === undefined) return isShown;
    const shown = chosen.get(name) ?? chosen.get('*') ?? isShown;
    if (kind === 'tag') open.push({ name, isShown: shown });
    else if (open.at(-1)?.name === name) open.pop();
    found.add(name);
    return false;
  });
  const isMissing = [...chosen].some(([name, value]) => value && !name.includes('*') && !found.has(name));
  return isMissing && shown.length === 0 ? null : shown;
}

function selectLines(lines: Lines, options: ReadonlyMap<string, string>): Lines | null {
  const ranges = options.get('lines');
  if (ranges) return rangedLines(lines, ranges);
  const tags = options.get('tags') ?? options.get('tag');
  return tags ? taggedLines(lines, tags) : lines;
}

/** The paths that a target can have. @returns [] for one of a component that is not in the folder */
function pathsFor(target: string, place: IncludePlace, { components }: AsciidocSite): readonly string[] {
  const file = fileAt(place);
  const [, component, module, family = '', path = ''] = RESOURCE.exec(target) ?? [];
  // Asciidoctor looks beside the file; sites link a folder of parts into each folder of pages.
  if (family === '')
    return [
      joined(posix.dirname(file), target),
      ...foldersUp(place.page).map((folder) => joined(folder, target)),
    ];
  const [, home = '', named = 'ROOT'] = MODULE.exec(file) ?? [];
  const homes = component === undefined ? [home] : (components.get(component) ?? []);
  const name = module === undefined ? (component === undefined ? named : 'ROOT') : module || 'ROOT';
  return homes.flatMap((folder) =>
    (FAMILIES[family] ?? []).map((kind) => joined(`${folder}modules/${name}/${kind}`, path)),
  );
}

/** The reason why a target is no path; null for a path. */
function refusal(target: string): string | null {
  if (ADDRESS.test(target)) return 'is an address';
  const [, name] = /\{(\w[\w-]*)\}/.exec(target) ?? [];
  return name === undefined ? null : `needs the attribute ${name}, which has no value`;
}

/** Puts the files into a text of AsciiDoc that it includes. Other lines that include stay as they are. */
export function expandAsciidoc(text: string, place: IncludePlace, site: AsciidocSite): string {
  if (!HAS_INCLUDES.test(text)) return text;
  const given = Object.entries({ ...ANTORA, ...site.attributes, docdir: '.' });
  const values: Values = new Map(
    given.flatMap(([name, value]) => (value === null ? [] : [[name.toLowerCase(), value.replace(/@$/, '')]])),
  );
  return expandLines(text.split('\n'), place, { site, values }).join('\n');
}

interface Asking {
  readonly written: string;
  readonly line: number;
}

interface Context {
  readonly site: AsciidocSite;
  readonly values: Values;
}

function expandLines(lines: Lines, place: IncludePlace, context: Context): Lines {
  let isComment = false;
  return lines.flatMap((line, at) => {
    if (COMMENT.test(line)) isComment = !isComment;
    if (isComment) return [line];
    readAttribute(line, context.values);
    return line.startsWith('include::')
      ? (includedLines({ written: line, line: at + 1 }, place, context) ?? [line])
      : [line];
  });
}

function includedLines({ written, line }: Asking, place: IncludePlace, context: Context): Lines | null {
  const [, named = '', list = ''] = INCLUDE.exec(written) ?? [];
  if (named === '') return null;
  const { site, values } = context;
  const { inclusion } = place;
  const target = withValues(named, values).replace(/^(\w+\$)\//, '$1');
  const options = readAttributes(withValues(list, values));
  const isOptional = /\boptional\b/.test(options.get('opts') ?? options.get('options') ?? '');
  const why = refusal(target);
  const paths = why === null ? pathsFor(target, place, site) : [];
  inclusion.isAsked = true;
  if (isOptional && !paths.some((path) => inclusion.files.has(path))) return null;
  if (why !== null) {
    inclusion.miss({ what: named, line }, place, why);
    return null;
  }
  const found = inclusion.open({ paths, what: target, line }, place, (lines) => selectLines(lines, options));
  if (!found) return null;
  const before = values.get(OFFSET) ?? '0';
  const offset = /^[+-]?\d$/.exec(options.get(OFFSET) ?? '')?.[0] ?? '';
  if (offset !== '') values.set(OFFSET, movedOffset(values, offset));
  const lines = expandLines(found.lines, found.place, context);
  if (offset !== '') values.set(OFFSET, before);
  const shown = options.has('indent') ? dedented(lines, Number(options.get('indent')) || 0) : lines;
  return offset === '' ? shown : withOffset(shown, offset, before);
}

/** Lines with an offset of the levels of headings, and below them the one before it. */
function withOffset(lines: Lines, offset: string, before: string): Lines {
  const isRelative = /^[+-]/.test(offset);
  const back = isRelative ? `${offset.startsWith('+') ? '-' : '+'}${offset.slice(1)}` : before;
  return ['', `:leveloffset: ${offset}`, '', ...lines, '', `:leveloffset: ${back}`, ''];
}

function dedented(lines: Lines, indent: number): Lines {
  const depths = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  const depth = depths.reduce((a, b) => Math.min(a, b), Infinity);
  return lines.map((line) =>
    line.trim() === '' ? '' : ' '.repeat(Math.min(indent, 40)) + line.slice(depth),
  );
}
