import { posix } from 'node:path';
import { splitFrontMatter } from '../reading/front-matter/split-front-matter.js';
import { fileAt, foldersUp, joined, type Place } from './inclusion.js';
import { shownValue, type SiteValues, valueAt } from './site-values.js';

/** A tag or a value of Liquid, and a stretch in which they are text. */
const PART =
  /\{%-?\s*(raw|comment)\s*-?%\}([^]*?)\{%-?\s*end\1\s*-?%\}|\{%-?\s*(\w{1,40})\s*((?:"[^"\n]*"|'[^'\n]*'|[^"'%]|%(?!\}))*?)-?%\}|\{\{-?\s*((?:"[^"\n]*"|'[^'\n]*'|[^"'{}])*?)-?\}\}/g;
const MAX_PART_CHARS = 2_000;
const TEXT = /^(?:"([^"]*)"|'([^']*)')$/;
const PATH = /^[A-Za-z_][\w-]*(?:\.[\w-]+|\[(?:"[^"\]]*"|'[^'\]]*'|\d+)\])*$/;
const ARGUMENT = /([\w-]{1,60})\s*=\s*("[^"\n]*"|'[^'\n]*'|[^\s"']+)/g;
const ASSIGN = /^(\w{1,60})\s*=\s*(.+)$/s;
/** Values of these are what a page shows; others are of its loops, or of another template language. */
const ROOTS = new Set(['site', 'page', 'include']);
/** What link resolution reads itself, and what only a build knows. */
const ADDRESS =
  /^(?:site\.(?:baseurl|url|time)|site\.github\.[\w.]+|page\.(?:url|path|date|id)|.*\|\s*(?:relative|absolute)_url\s*)$/s;
const BLOCKS = new Set(['if', 'unless', 'case', 'for', 'tablerow', 'capture', 'highlight']);

/** Filters with the same text in Markdown, and simple ones. */
const FILTERS: Readonly<Record<string, (text: string, argument: string) => string>> = {
  ...Object.fromEntries(
    ['escape', 'escape_once', 'xml_escape', 'markdownify', 'smartify', 'default'].map((name) => [
      name,
      (own: string) => own,
    ]),
  ),
  strip: (own) => own.trim(),
  downcase: (own) => own.toLowerCase(),
  upcase: (own) => own.toUpperCase(),
  capitalize: (own) => own.charAt(0).toUpperCase() + own.slice(1),
  append: (own, argument) => own + argument,
  prepend: (own, argument) => argument + own,
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
  { files, values }: { files: Place['inclusion']['files']; values: SiteValues },
): JekyllSite | null {
  const folder = foldersUp(page).find((own) => files.has(joined(own, '_config.yml')));
  // Jupyter Book has settings of this name, too.
  if (folder === undefined || files.has(joined(folder, '_toc.yml'))) return null;
  return { folder, settings: values.settings(joined(folder, '_config')), values };
}

const keysIn = (path: string): readonly string[] =>
  path.split(/[.[\]]+/).flatMap((key) => (key === '' ? [] : [key.replace(/^(["'])(.*)\1$/, '$2')]));

function valueOf(term: string, { folder, settings, values }: JekyllSite, scope: Scope): string | null {
  const [, double, single] = TEXT.exec(term) ?? [];
  if (double !== undefined || single !== undefined) return double ?? single ?? '';
  if (!PATH.test(term)) return null;
  const [root = '', ...keys] = keysIn(term);
  if (root !== 'site') return shownValue(valueAt(scope.get(root), keys));
  if (keys[0] === 'data') return shownValue(values.data(joined(folder, '_data'), keys.slice(1)));
  return shownValue(valueAt(settings, keys));
}

/** The text of an expression such as `site.title | upcase`; null if it can't be known. */
function evaluate(expression: string, site: JekyllSite, scope: Scope): string | null {
  const [term = '', ...filters] = expression.match(/(?:"[^"]*"|'[^']*'|[^|"'])+/g) ?? [];
  return filters.reduce<string | null>(
    (text, filter) => {
      const [, name = '', argument = '""'] = /^\s*(\w+)\s*(?::\s*([^,]*?))?\s*$/.exec(filter) ?? [];
      const value = valueOf(argument, site, scope);
      if (text === null && name === 'default') return value;
      const apply = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined;
      return text === null || value === null || !apply ? null : apply(text, value);
    },
    valueOf(term.trim(), site, scope),
  );
}

/**
 * Puts the values and the included files into a page of Jekyll that its folder has: those of its settings, of its data and
 * of the page. Conditions and loops are not evaluated, so values in them can be unknown; these stay as written.
 */
export function expandLiquid(text: string, place: Place, site: JekyllSite): string {
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

function expandText(text: string, place: Place, context: Context): string {
  if (!/\{[{%]/.test(text)) return text;
  let depth = 0;
  let line = 1;
  let from = 0;
  let out = '';
  for (const match of text.matchAll(PART)) {
    const [written, stretch, inner = '', tag, content = '', expression] = match;
    line += (text.slice(from, match.index).match(/\n/g) ?? []).length;
    const part = { written, line, before: text.charAt(match.index - 1) };
    out += text.slice(from, match.index);
    from = match.index + written.length;
    line += (written.match(/\n/g) ?? []).length;
    if (tag !== undefined && BLOCKS.has(tag)) depth++;
    if (tag?.startsWith('end') === true) depth = Math.max(0, depth - 1);
    if (stretch !== undefined) out += stretch === 'raw' ? inner : '';
    else if (written.length > MAX_PART_CHARS) out += written;
    else if (tag !== undefined)
      out += expandTag({ ...part, tag, content: content.trim(), depth }, place, context);
    else out += expandValue(part, (expression ?? '').trim(), { place, ...context });
  }
  return out + text.slice(from);
}

function expandValue(
  { written, line, before }: Part,
  expression: string,
  { place, site, scope }: Context & { readonly place: Place },
): string {
  const isAddress = ADDRESS.test(expression) && /[(<"'=}]/.test(before);
  const text = isAddress ? null : evaluate(expression, site, scope);
  if (text !== null) {
    place.inclusion.putValue();
    return text;
  }
  const [root = ''] = keysIn(expression);
  if (ROOTS.has(root) && !isAddress)
    place.inclusion.miss({ what: `{{ ${expression} }}`, line }, place, 'has no value in the folder');
  return written;
}

interface Tag extends Part {
  readonly tag: string;
  readonly content: string;
  /** Of conditions and loops around it, itself included. */
  readonly depth: number;
}

function expandTag({ written, line, tag, content, depth }: Tag, place: Place, context: Context): string {
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
  place: Place,
  { site, scope }: Context,
): string | null {
  const [target = ''] = /^\S+/.exec(content) ?? [];
  const folder = tag === 'include' ? joined(site.folder, '_includes') : posix.dirname(fileAt(place));
  const what = `{% ${tag} ${target} %}`;
  const paths = target.includes('{') ? [] : [joined(folder, target)];
  const given = Array.from(content.slice(target.length).matchAll(ARGUMENT), ([, name = '', value = '']) => [
    name,
    valueOf(value, site, scope),
  ]);
  const { missed, used } = place.inclusion;
  const before = missed.length;
  const found = place.inclusion.open({ paths, what, line }, place, (lines) => lines);
  if (!found) return null;
  const own: Scope = new Map([...scope, ['include', Object.fromEntries(given)]]);
  const text = expandText(found.lines.join('\n'), found.place, { site, scope: own });
  if (!/\{[{%]/.test(text)) return text;
  missed.length = before;
  used.delete(found.path);
  place.inclusion.miss({ what, line }, place, 'has conditions or loops, which are not evaluated');
  return null;
}
