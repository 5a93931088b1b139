import { posix } from 'node:path';
import { splitFrontMatter } from '../reading/front-matter/split-front-matter.js';
import { fileAt, foldersUp, type IncludePlace, IS_FULL, joined } from './inclusion.js';
import { shownValue, type SiteValues, valueBelow } from './site-values.js';

/** A tag or a value of Liquid. */
const PART =
  /\{%-?\s{0,20}(\w{1,40})((?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|[^"'%]|%(?!\})){0,300}?)%\}|\{\{-?((?:"[^"\n]{0,500}"|'[^'\n]{0,500}'|[^"'{}]){0,300}?)\}\}/g;
/** Longer pages would take seconds. */
const MAX_PAGE_CHARS = 1_000_000;
/** Tags up to whose ends all is text. */
const STRETCHES = ['raw', 'comment'];
const TEXT = /^(?:"([^"]*)"|'([^']*)')$/;
const PATH = /^[A-Za-z_][\w-]*(?:\.[\w-]+|\[(?:"[^"\]]*"|'[^'\]]*'|\d+)\])*$/;
const ARGUMENT = /([\w-]{1,60})\s*=\s*("[^"\n]*"|'[^'\n]*'|[^\s"']+)/g;
const ASSIGN = /^(\w{1,60})\s*=\s*(.+)$/s;
/** Values of these are what a page shows; others are of its loops, or of another template language. */
const ROOTS = new Set(['site', 'page', 'include']);
/** Values that link resolution reads itself, and those that only a build knows. */
const ADDRESS =
  /^(?:site\.(?:baseurl|url|time)|site\.github\.[\w.]+|page\.(?:url|path|date|id)|.*\|\s*(?:relative|absolute)_url\s*)$/s;
const BLOCKS = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'capture', 'highlight']);

/** Filters with the same text in Markdown, and simple ones. */
const FILTERS: Readonly<Record<string, (text: string, argument: string) => string>> = {
  ...Object.fromEntries(
    ['escape', 'escape_once', 'xml_escape', 'markdownify', 'smartify', 'default'].map((name) => [
      name,
      (text: string) => text,
    ]),
  ),
  strip: (text) => text.trim(),
  downcase: (text) => text.toLowerCase(),
  upcase: (text) => text.toUpperCase(),
  capitalize: (text) => text.charAt(0).toUpperCase() + text.slice(1),
  append: (text, argument) => text + argument,
  prepend: (text, argument) => argument + text,
};

type Scope = Map<string, unknown>;

/** A site of Jekyll, and its values. */
export interface JekyllSite {
  /** The folder of its settings. */
  readonly folder: string;
  readonly settings: unknown;
  readonly values: SiteValues;
}

/** The site of a page, by the nearest `_config.yml`; null for a page of another generator. */
export function jekyllSite(
  page: string,
  { files, values }: { files: IncludePlace['inclusion']['files']; values: SiteValues },
): JekyllSite | null {
  const folder = foldersUp(page).find((above) => files.has(joined(above, '_config.yml')));
  // Jupyter Book has settings of this name, too.
  if (folder === undefined || files.has(joined(folder, '_toc.yml'))) return null;
  return { folder, settings: values.settings(joined(folder, '_config')), values };
}

const keysIn = (path: string): readonly string[] =>
  path.split(/[.[\]]+/).flatMap((key) => (key === '' ? [] : [key.replace(/^(["'])(.*)\1$/, '$2')]));

function readValue(term: string, { folder, settings, values }: JekyllSite, scope: Scope): string | null {
  const [, double, single] = TEXT.exec(term) ?? [];
  if (double !== undefined || single !== undefined) return double ?? single ?? '';
  if (!PATH.test(term)) return null;
  const [root = '', ...keys] = keysIn(term);
  if (root !== 'site') return shownValue(valueBelow(scope.get(root), keys));
  if (keys[0] === 'data') return shownValue(values.data(joined(folder, '_data'), keys.slice(1)));
  return shownValue(valueBelow(settings, keys));
}

/** The text of an expression such as `site.title | upcase`; null if it can't be known. */
function evaluate(expression: string, site: JekyllSite, scope: Scope): string | null {
  const [term = '', ...filters] = expression.match(/(?:"[^"]*"|'[^']*'|[^|"'])+/g) ?? [];
  return filters.reduce<string | null>(
    (text, filter) => {
      const [, name = '', argument = '""'] = /^\s*(\w+)\s*(?::\s*([^,]*?))?\s*$/.exec(filter) ?? [];
      const value = readValue(argument, site, scope);
      if (text === null && name === 'default') return value;
      const apply = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
      return text === null || value === null || !apply ? null : apply(text, value);
    },
    readValue(term.trim(), site, scope),
  );
}

/**
 * Puts the values and the included files into a page of Jekyll that its folder has: those of its settings, of its data and
 * of the page. Pages of more than a million characters stay as they are. Conditions and loops are not evaluated, so values in them can be unknown; these stay as written.
 */
export function expandLiquid(text: string, place: IncludePlace, site: JekyllSite): string {
  if (text.length > MAX_PAGE_CHARS) return text;
  const page = { ...splitFrontMatter(text).frontMatter };
  return expandText(text, place, { site, scope: new Map([['page', page]]) });
}

interface Context {
  readonly site: JekyllSite;
  readonly scope: Scope;
}

/** A part of the text, and where it is. */
interface Part {
  readonly written: string;
  readonly line: number;
  /** The character above it, by which the destination of a link is known. */
  readonly before: string;
}

/** The stretch below a tag up to its end, and the position behind that; null without an end. */
function stretchBelow(
  text: string,
  from: number,
  tag: string,
): { readonly inner: string; readonly end: number } | null {
  const end = new RegExp(`\\{%-?\\s{0,20}end${tag}\\s{0,20}-?%\\}`, 'g');
  end.lastIndex = from;
  const found = end.exec(text);
  return found && { inner: text.slice(from, found.index), end: end.lastIndex };
}

function expandText(text: string, place: IncludePlace, context: Context): string {
  if (!/\{[{%]/.test(text)) return text;
  const part = new RegExp(PART);
  const endless = new Set<string>();
  let depth = 0;
  let line = 1;
  let from = 0;
  let out = '';
  for (let match = part.exec(text); match; match = part.exec(text)) {
    const [written, tag, content = '', expression = ''] = match;
    out += text.slice(from, match.index);
    line += linesIn(text.slice(from, match.index));
    from = part.lastIndex;
    const piece = { written, line, before: text.charAt(match.index - 1) };
    const isStretch = tag !== undefined && STRETCHES.includes(tag) && !endless.has(tag);
    const stretch = isStretch ? stretchBelow(text, from, tag) : null;
    if (isStretch && !stretch) endless.add(tag);
    if (tag !== undefined) depth = depthAfter(tag, depth);
    if (stretch) out += tag === 'raw' ? stretch.inner : '';
    else if (tag === undefined) out += expandValue(piece, trimmed(expression), { place, ...context });
    else out += expandTag({ ...piece, tag, content: trimmed(content), depth }, place, context);
    if (stretch) part.lastIndex = stretch.end;
    line += linesIn(text.slice(from, part.lastIndex)) + linesIn(written);
    from = part.lastIndex;
  }
  return out + text.slice(from);
}

const linesIn = (text: string): number => text.match(/\n/g)?.length ?? 0;
const trimmed = (content: string): string => content.trim().replace(/\s*-$/, '');

/** The number of conditions and loops around what follows a tag. */
function depthAfter(tag: string, depth: number): number {
  if (tag.startsWith('end')) return Math.max(0, depth - 1);
  return depth + (BLOCKS.has(tag) ? 1 : 0);
}

function expandValue(
  { written, line, before }: Part,
  expression: string,
  { place, site, scope }: Context & { readonly place: IncludePlace },
): string {
  const isAddress = ADDRESS.test(expression) && /[(<"'=}]/.test(before);
  const text = isAddress ? null : evaluate(expression, site, scope);
  if (text !== null && place.inclusion.putValue(text)) return text;
  const [root = ''] = keysIn(expression);
  const why = text === null ? 'has no value in the folder' : IS_FULL;
  if (ROOTS.has(root) && !isAddress) place.inclusion.miss({ what: `{{ ${expression} }}`, line }, place, why);
  return written;
}

interface Tag extends Part {
  readonly tag: string;
  readonly content: string;
  /** Of conditions and loops around it, itself included. */
  readonly depth: number;
}

function expandTag(
  { written, line, tag, content, depth }: Tag,
  place: IncludePlace,
  context: Context,
): string {
  if (tag === 'assign' && depth === 0) {
    const [, name = '', expression = ''] = ASSIGN.exec(content) ?? [];
    const value = evaluate(expression.trim(), context.site, context.scope);
    if (value === null) return written;
    context.scope.set(name, value);
    return '';
  }
  if (tag === 'for' && depth === 1)
    place.inclusion.miss({ what: `{% for ${content} %}`, line }, place, 'is a loop, which is not evaluated');
  if (tag !== 'include' && tag !== 'include_relative') return written;
  return includedText({ written, line, tag, content }, place, context) ?? written;
}

function includedText(
  { line, tag, content }: Pick<Tag, 'written' | 'line' | 'tag' | 'content'>,
  place: IncludePlace,
  { site, scope }: Context,
): string | null {
  const [target = ''] = /^\S+/.exec(content) ?? [];
  const folder = tag === 'include' ? joined(site.folder, '_includes') : posix.dirname(fileAt(place));
  const what = `{% ${tag} ${target} %}`;
  const paths = target.includes('{') ? [] : [joined(folder, target)];
  const given = Array.from(content.slice(target.length).matchAll(ARGUMENT), ([, name = '', value = '']) => [
    name,
    readValue(value, site, scope),
  ]);
  const { missed, used } = place.inclusion;
  const before = missed.length;
  const found = place.inclusion.open({ paths, what, line }, place, (lines) => lines);
  if (!found) return null;
  const inner: Scope = new Map([...scope, ['include', Object.fromEntries(given)]]);
  const text = expandText(found.lines.join('\n'), found.place, { site, scope: inner });
  if (!/\{[{%]/.test(text)) return text;
  missed.length = before;
  used.delete(found.path);
  place.inclusion.miss({ what, line }, place, 'has conditions or loops, which are not evaluated');
  return null;
}
