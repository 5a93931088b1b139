import { splitFrontMatter } from '../reading/front-matter/split-front-matter.js';
import { findCode, isInSpan } from '../reading/markdown/find-code.js';
import { type IncludePlace } from './inclusion.js';
import { shownValue, valueBelow } from './site-values.js';
import { sphinxSettings } from './sphinx-values.js';

const USE = /\{\{[ \t]{0,20}([A-Za-z_][\w-]{0,60})[ \t]{0,20}\}\}/g;
/** The settings of Sphinx are not run: only texts as they are written count. */
const SETTING = /^myst_substitutions[ \t]*=[ \t]*\{([^]{0,20000}?)\}[ \t]*$/m;
const ENTRY = /(["'])([\w-]{1,60})\1[ \t]*:[ \t]*(["'])((?:(?!\3)[^\n\\]){0,2000})\3[ \t]*(?=[,\n]|$)/g;
/** A directive, whose text is read as that of the page; in other fences nothing is a value. */
const DIRECTIVE = /^[ \t>]*(?:`{3,}|~{3,})\{(?!code)/;

/** Puts the substitutions of MyST into a page: those of its front matter and of the settings of its site. */
export function expandSubstitutions(text: string, place: IncludePlace): string {
  if (!text.includes('{{')) return text;
  const source = place.inclusion.files.read(sphinxSettings(place.page, place.inclusion) ?? '') ?? '';
  const settings = Array.from((SETTING.exec(source)?.[1] ?? '').matchAll(ENTRY), (entry) => [
    entry[2],
    entry[4],
  ]);
  const own = valueBelow(splitFrontMatter(text).frontMatter, ['myst', 'substitutions']);
  const values: object = { ...Object.fromEntries(settings), ...(typeof own === 'object' ? own : {}) };
  const fill = (written: string, name: string): string => {
    const value = shownValue(valueBelow(values, [name]));
    return value !== null && place.inclusion.putValue(value) ? value.trimEnd() : written;
  };
  const code = findCode(text).filter(({ start, end }) => !DIRECTIVE.test(text.slice(start, end)));
  return text.replace(USE, (written, name: string, at: number) =>
    isInSpan(code, at) ? written : fill(written, name).replace(USE, fill),
  );
}
