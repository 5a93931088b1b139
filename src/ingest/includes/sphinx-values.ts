import { posix } from 'node:path';
import { splitFrontMatter } from '../reading/front-matter/split-front-matter.js';
import { findCode, isInSpan } from '../reading/markdown/find-code.js';
import { withoutLiterals } from '../reading/rst/inline/references.js';
import { toSourceLines } from '../reading/rst/source-line.js';
import { foldersUp, type IncludePlace, Inclusion, joined, type Lines } from './inclusion.js';
import { expandRst } from './rst-includes.js';
import { shownValue, valueBelow } from './site-values.js';

/** `|name|`, with words beside the bars, outside of the borders of tables. */
const USE = /(?<![\w|\\`])\|([^\s|`](?:[^|`\n]{0,100}[^\s|`])?)\|(?![\w|`])/g;
const USED = /``(?:[^`]|`(?!`))*``|`[^`]*`|(?<![\w|\\])\|([A-Za-z](?:[^|`\n]{0,60}[^\s|`])?)\|(?![\w|])/g;
/** A substitution, or a reference by a name. */
const ASKS = /\|[^\s|][^|\n]*\||[\w`]_(?!\w)/;
const TABLE = /^\s*[|+]/;
/** `.. |name| replace:: text` and `.. _name: address`, with the lines that continue them. */
const DEFINITION = /^\.\. (?:\|([^|\n]{1,200})\| +[\w-]+::|_([^:\n]{1,200}):(?= )).*(?:\n[ \t]+\S.*)*/gm;
const TEXT = /^(rst_prolog|rst_epilog)[ \t]*\+?=[ \t]*\(?\s*([rRuUfF]{0,2})("""|'''|"|')/gm;
const VARIABLE =
  /^(\w{1,60})[ \t]*=[ \t]*(?:\w{1,60}[ \t]*=[ \t]*)?u?(["'])([^"'\n\\]{0,500})\2[ \t]*(?:#.*)?$/gm;
/** Substitutions that Sphinx itself makes of its settings. */
const OWN = ['release', 'version', 'project'];

/** The definitions that the settings of Sphinx add to each page, by the names that pages use. */
export type Definitions = ReadonlyMap<string, string>;

const nameKey = (name: string): string => name.replace(/^`|`$/g, '').replace(/\s+/g, ' ').toLowerCase();

/** The text of a setting, with the values of other settings in it. @returns '' if a program makes it */
function settingText(source: string, match: RegExpExecArray, values: Definitions): string {
  const [head, , prefix = '', quote = ''] = match;
  const start = match.index + head.length;
  const end = source.indexOf(quote, start);
  if (end < 0) return '';
  const written = source.slice(start, end);
  const text = /r/i.test(prefix)
    ? written
    : written
        .replace(/\\\n/g, '')
        .replace(/\\n/g, '\n')
        .replace(/\\(["'\\])/g, '$1');
  const isFormatted = /^\s*(?:%|\.format)/.test(source.slice(end + quote.length));
  if (!isFormatted && !/f/i.test(prefix)) return text;
  const filled = text.replace(
    /\{(\w+)\}|%\((\w+)\)s/g,
    (written, a: string, b: string) => values.get(a ?? b) ?? written,
  );
  // Definitions that still need the program are left out.
  return filled.replace(DEFINITION, (written) => (/[{}]|%[s(]/.test(written) ? '' : written));
}

/** Reads the settings of Sphinx without running them: only texts as they are written. @param page  a page of the site */
export function sphinxDefinitions(source: string, page: string, inclusion: Inclusion): Definitions {
  const values = new Map(
    Array.from(source.matchAll(VARIABLE), ([, name = '', , value = '']) => [name, value]),
  );
  const texts = Array.from(source.matchAll(TEXT), (match) => settingText(source, match, values));
  const place: IncludePlace = { page, above: [], inclusion };
  const all = expandRst(texts.join('\n\n'), place);
  const built = OWN.flatMap((name): (readonly [string, string])[] => {
    const value = values.get(name);
    return value ? [[`|${name}|`, `.. |${name}| replace:: ${value}`]] : [];
  });
  const written = Array.from(all.matchAll(DEFINITION), ([text, name, target]) =>
    name === undefined ? ([nameKey(target ?? ''), text] as const) : ([`|${nameKey(name)}|`, text] as const),
  );
  return new Map([...built, ...written]);
}

/** The definitions that a text uses, and those that they use. */
function usedDefinitions(text: string, definitions: Definitions): Lines {
  const used = new Set<string>();
  let searched = text.toLowerCase();
  for (let found = true; found;) {
    const names = new Set(Array.from(searched.matchAll(USE), ([, name = '']) => `|${nameKey(name)}|`));
    const added = [...definitions].filter(([key]) => {
      const isUsed = key.startsWith('|')
        ? names.has(key)
        : searched.includes(`${key}_`) || searched.includes(`${key}\`_`);
      return isUsed && !used.has(key);
    });
    for (const [key] of added) used.add(key);
    searched = added
      .map(([, definition]) => definition)
      .join('\n')
      .toLowerCase();
    found = added.length > 0;
  }
  return [...definitions].filter(([key]) => used.has(key)).map(([, definition]) => definition);
}

/** The names of substitutions in sentences, with their lines. */
function usedNames(text: string): ReadonlyMap<string, number> {
  const lines = toSourceLines(text);
  const names = new Map<string, number>();
  for (const at of withoutLiterals(lines)) {
    const line = lines[at]?.text ?? '';
    if (!line.includes('|') || TABLE.test(line) || line.trimStart().startsWith('.. |')) continue;
    for (const [, name] of line.matchAll(USED))
      if (name !== undefined && !names.has(name)) names.set(name, at + 1);
  }
  return names;
}

/** The settings of Sphinx of a page, in the folder of the page or in one above it; undefined without any. */
export const sphinxSettings = (page: string, { files }: Inclusion): string | undefined =>
  foldersUp(page)
    .map((folder) => joined(folder, 'conf.py'))
    .find((path) => files.has(path));

/** A page of the site of some settings, from which the files are named that the settings include. */
export const pageBeside = (settings: string): string => posix.join(posix.dirname(settings), 'index.rst');

/**
 * Adds the definitions of substitutions and addresses below a page that its site defines for all pages, as far as the page
 * uses them. Substitutions that nothing defines are noted.
 */
export function withDefinitions(text: string, place: IncludePlace, definitions: Definitions): string {
  if (!ASKS.test(text)) return text;
  // Settings can define a name later.
  place.inclusion.isAsked = true;
  const defined = new Set(
    Array.from(text.matchAll(/^ *\.\. \|([^|\n]{1,200})\| /gm), ([, name = '']) => `|${nameKey(name)}|`),
  );
  const added = usedDefinitions(text, new Map([...definitions].filter(([key]) => !defined.has(key))));
  for (const _ of added) place.inclusion.putValue();
  for (const [name, line] of usedNames(text)) {
    const key = `|${nameKey(name)}|`;
    if (!defined.has(key) && !definitions.has(key))
      place.inclusion.miss({ what: `|${name}|`, line }, place, 'is not defined');
  }
  return added.length > 0 ? `${text.trimEnd()}\n\n${added.join('\n')}\n` : text;
}

/** `{{ name }}`. */
const MYST_USE = /\{\{[ \t]{0,20}([A-Za-z_][\w-]{0,60})[ \t]{0,20}\}\}/g;
/** The settings of Sphinx are not run: only texts as they are written count. */
const MYST_SETTING = /^myst_substitutions[ \t]*=[ \t]*\{([^]{0,20000}?)\}[ \t]*$/m;
const ENTRY = /(["'])([\w-]{1,60})\1[ \t]*:[ \t]*(["'])((?:(?!\3)[^\n\\]){0,2000})\3[ \t]*(?=[,\n#]|$)/g;
/** A directive, whose text is read as that of the page; in other fences nothing is a value. */
const DIRECTIVE = /^[ \t>]*(?:`{3,}|~{3,})\{(?!code|math|raw)/;

/** The substitutions of MyST in settings of Sphinx. */
const substitutionsIn = (settings: string): object =>
  Object.fromEntries(
    Array.from((MYST_SETTING.exec(settings)?.[1] ?? '').matchAll(ENTRY), ([, , name, , text]) => [
      name,
      text,
    ]),
  );

/**
 * Puts the substitutions of MyST into a page: those of its front matter and of the settings of its site.
 * @param known  those of settings that were read before, by their paths
 */
export function expandSubstitutions(text: string, place: IncludePlace, known: Map<string, object>): string {
  if (!text.includes('{{')) return text;
  const path = sphinxSettings(place.page, place.inclusion) ?? '';
  const settings = known.get(path) ?? substitutionsIn(place.inclusion.files.read(path) ?? '');
  known.set(path, settings);
  const ofPage = valueBelow(splitFrontMatter(text).frontMatter, ['myst', 'substitutions']);
  const values: object = { ...settings, ...(typeof ofPage === 'object' ? ofPage : {}) };
  if (Object.keys(values).length === 0) return text;
  const fill = (written: string, name: string): string => {
    const value = shownValue(valueBelow(values, [name]));
    return value !== null && place.inclusion.putValue(value) ? value : written;
  };
  const code = findCode(text).filter(({ start, end }) => !DIRECTIVE.test(text.slice(start, end)));
  return text.replace(MYST_USE, (written, name: string, at: number) =>
    isInSpan(code, at) ? written : fill(written, name).replace(MYST_USE, fill),
  );
}
