import { posix } from 'node:path';
import { splitFrontMatter } from '../reading/front-matter/split-front-matter.js';
import {
  type CorpusFiles,
  fileAt,
  foldersUp,
  type IncludePlace,
  type Inclusion,
  IS_FULL,
  joined,
} from './inclusion.js';
import { shownValue, type SiteValues, valueBelow } from './site-values.js';

/** A shortcode on one line, with its name and its arguments. */
const SHORTCODE =
  /\{\{([<%])[ \t]*(\/?)[ \t]*([\w/.-]{1,80})((?:[ \t]+(?:(?:[\w-]{1,60}=)?(?:"(?:[^"\\\n]|\\.){0,500}"|`[^`\n]{0,500}`)|[^\s"`<>%]{1,500})){0,30})[ \t]*[>%]\}\}/g;
const ARGUMENT = /(?:([\w-]{1,60})=)?(?:"((?:[^"\\]|\\.)*)"|`([^`]*)`|([^\s"`]+))/g;
/** An action of a template, without those that only trim space. */
const ACTION = /\{\{-?\s*([^{}]{0,500}?)\s*-?\}\}/g;
const COMMENT = /\{\{-?\s*\/\*[^]*?\*\/\s*-?\}\}\n?/g;
const FILTERS =
  /(?:\s*\|\s*(?:safeHTML|markdownify|htmlEscape|plainify|emojify|\.?(?:Page\.)?RenderString))+$/;
const SETTING = /^\$?\.?(?:Page\.)?[Ss]ite\.(Params|Data|Title)((?:\.\w+)*)$/;
const OF_PAGE = /^\$?\.?Page\.(?:Params\.)?(\w+)$/;
const GET = /^\.Get\s+(?:(\d)|["`](\w+)["`])$/;
const PARAM = /^\$?\.?(?:Page\.|Site\.)?Param\s+["`]([\w.]+)["`]$/;
/** Longer templates are programs. */
const MAX_TEMPLATE_CHARS = 10_000;
/** The template shows a file that an argument names. */
const SHOWS_FILE = /\bRenderShortcodes\b|\.RawContent\b|\breadFile\b|\bReadFile\b/;
/** HTML that is no text. */
const NOT_TEXT = /<(?:script|style|form|iframe|svg|img|video|input)\b/i;
/** Shortcodes of Hugo without a text, and links, which are read as such. */
const OTHERS = new Set(
  'figure gist highlight instagram qr ref relref details tweet twitter x vimeo youtube'.split(' '),
);
const TEMPLATE = /(?:^|\/)layouts\/_?shortcodes\/(.+)\.(?:html|md)$/;
const CONFIGS = ['hugo', 'config'].flatMap((name) =>
  ['toml', 'yaml', 'yml', 'json'].map((format) => `${name}.${format}`),
);
const FOLDER = 'config/_default';

/** A site of Hugo, and its values. */
export interface HugoSite {
  readonly folder: string;
  /** Of its settings. */
  readonly path: string;
  readonly settings: unknown;
  readonly params: unknown;
  readonly language: string;
  readonly values: SiteValues;
  /** The paths of templates of shortcodes, by the names of these. */
  readonly templates: ReadonlyMap<string, string>;
}

/** Finds the sites of pages, by the nearest settings of Hugo. */
export function hugoSites(
  files: CorpusFiles & { readonly paths: () => Iterable<string> },
  values: SiteValues,
): (page: string) => HugoSite | null {
  const known = new Map<string, HugoSite | null>();
  const read = (folder: string): HugoSite | null => {
    const name = [...CONFIGS, ...CONFIGS.map((candidate) => `${FOLDER}/${candidate}`)].find((candidate) =>
      files.has(joined(folder, candidate)),
    );
    if (name === undefined) return null;
    const settings = values.settings(joined(folder, name.replace(/\.\w+$/, '')));
    if (!name.includes('hugo') && valueBelow(settings, ['baseURL']) === undefined) return null;
    const params = values.settings(joined(folder, `${FOLDER}/params`)) ?? valueBelow(settings, ['params']);
    const below = folder === '.' ? '' : `${folder}/`;
    const templates = Array.from(files.paths(), (path) => [TEMPLATE.exec(path)?.[1] ?? '', path] as const)
      .filter(([key, path]) => key !== '' && path.startsWith(below) && files.has(path))
      // A template of the site comes before that of its theme.
      .sort(([, a], [, b]) => b.split('/').length - a.split('/').length);
    const language = shownValue(valueBelow(settings, ['defaultContentLanguage'])) ?? 'en';
    return {
      folder,
      path: joined(folder, name),
      settings,
      params,
      language,
      values,
      templates: new Map(templates),
    };
  };
  return (page) => {
    for (const folder of foldersUp(page)) {
      const site = known.has(folder) ? known.get(folder) : read(folder);
      known.set(folder, site ?? null);
      if (site) return site;
    }
    return null;
  };
}

interface Shortcode {
  readonly name: string;
  readonly line: number;
  /** By position and by name. */
  readonly given: ReadonlyMap<string, string>;
}

interface Context {
  readonly site: HugoSite;
  /** The front matter of the page, and what the sections around it give. */
  readonly given: readonly unknown[];
}

function readArguments(written: string): ReadonlyMap<string, string> {
  return new Map(
    Array.from(written.matchAll(ARGUMENT), ([, name, double, raw, bare], at) => [
      name ?? String(at),
      double?.replace(/\\(.)/g, '$1') ?? raw ?? bare ?? '',
    ]),
  );
}

/** A parameter of the page, of the sections around it, or else of the site. */
function readParam(name: string, { site, given }: Context): string | null {
  const keys = name.split('.');
  const found = [
    ...given.flatMap((entry) => [valueBelow(entry, ['params', ...keys]), valueBelow(entry, keys)]),
    valueBelow(site.params, keys),
    valueBelow(site.settings, ['languages', site.language, 'params', ...keys]),
  ];
  return shownValue(found.find((value) => value !== undefined));
}

/** The values that the sections around a page give to it in their front matter, the nearest first. */
function cascades(page: string, { files }: Inclusion): readonly unknown[] {
  return foldersUp(page).flatMap((folder) => {
    const path = joined(folder, '_index.md');
    const text = files.has(path) ? files.read(path) : null;
    if (text?.includes('cascade') !== true) return [];
    const given = valueBelow(splitFrontMatter(text).frontMatter, ['cascade']);
    // One with a target is for some of the pages.
    return (Array.isArray(given) ? given : [given]).filter((entry: unknown) =>
      ['_target', 'target'].every((key) => valueBelow(entry, [key]) === undefined),
    );
  });
}

/** The text of an action of a template; null for one that needs Hugo. */
function actionText(written: string, shortcode: Shortcode, context: Context): string | null {
  const action = written.replace(FILTERS, '');
  const [, position, named] = GET.exec(action) ?? [];
  const key = position ?? named;
  if (key !== undefined) return shortcode.given.get(key) ?? '';
  const [, param] = PARAM.exec(action) ?? [];
  if (param !== undefined) return readParam(param, context);
  const { site } = context;
  const [, kind, path = ''] = SETTING.exec(action) ?? [];
  const keys = path.split('.').filter((key) => key !== '');
  if (kind === 'Params') return shownValue(valueBelow(site.params, keys));
  if (kind === 'Title') return shownValue(valueBelow(site.settings, ['title']));
  if (kind === 'Data') return shownValue(site.values.data(joined(site.folder, 'data'), keys));
  const [, name] = OF_PAGE.exec(action) ?? [];
  return name === undefined ? null : shownValue(valueBelow(context.given[0], [name]));
}

/** The text of a template without conditions, loops and functions; null for another one. */
function templateText(template: string, shortcode: Shortcode, context: Context): string | null {
  let isKnown = !NOT_TEXT.test(template);
  const text = template.replace(COMMENT, '').replace(ACTION, (_, action: string) => {
    const shown = actionText(action, shortcode, context);
    isKnown &&= shown !== null;
    return shown ?? '';
  });
  return isKnown && !text.includes('{{') && text.trim() !== '' ? text.trim() : null;
}

/** The paths of a page or a file that a shortcode shows. */
function pathsFor(target: string, place: IncludePlace, { folder }: HugoSite): readonly string[] {
  const near = target.startsWith('/') ? [] : [posix.dirname(fileAt(place))];
  // The content of a language has a folder of its own.
  const folders = [...near, ...foldersUp(place.page), joined(folder, 'content'), joined(folder, 'assets')];
  return folders.flatMap((folder) =>
    ['', '.md', '/index.md', '/_index.md'].map((end) => joined(folder, `./${target}${end}`)),
  );
}

/** The text of the file that a shortcode shows, without its front matter. */
function fileText(shortcode: Shortcode, place: IncludePlace, context: Context): string | null {
  const { given, line, name } = shortcode;
  const target = given.get('0') ?? given.get('file') ?? given.get('path') ?? given.get('src');
  if (target === undefined) return null;
  const wanted = { paths: pathsFor(target, place, context.site), what: `{{< ${name} ${target} >}}`, line };
  const found = place.inclusion.open(wanted, place, (lines) => lines);
  if (!found) return null;
  const { body } = splitFrontMatter(found.lines.join('\n'));
  return expandText(body, found.place, context).trim();
}

/** Puts the parameters and the files into a page of Hugo that its shortcodes name, and the texts of simple templates. */
export function expandShortcodes(text: string, place: IncludePlace, site: HugoSite): string {
  if (!/\{\{[<%]/.test(text)) return text;
  const given = [splitFrontMatter(text).frontMatter, ...cascades(place.page, place.inclusion)];
  return expandText(text, place, { site, given });
}

function expandText(text: string, place: IncludePlace, context: Context): string {
  const closed = new Set(
    Array.from(text.matchAll(SHORTCODE), ([, , slash, name]) => (slash === '/' ? name : '')),
  );
  let from = 0;
  let line = 1;
  return text.replace(
    SHORTCODE,
    (written: string, ...[, slash, name, list, at]: [string, string, string, string, number]) => {
      line += (text.slice(from, at).match(/\n/g) ?? []).length;
      from = at;
      if (slash === '/' || closed.has(name) || OTHERS.has(name)) return written;
      return shortcodeText({ name, line, given: readArguments(list) }, place, context) ?? written;
    },
  );
}

function shortcodeText(shortcode: Shortcode, place: IncludePlace, context: Context): string | null {
  const { name, line, given } = shortcode;
  const { inclusion } = place;
  const path = context.site.templates.get(name);
  const read = path === undefined ? undefined : inclusion.files.read(path);
  const template = read?.slice(0, MAX_TEMPLATE_CHARS);
  if (template !== undefined && SHOWS_FILE.test(template)) return fileText(shortcode, place, context);
  const isRead = inclusion.spend(template?.length ?? 0);
  const text =
    template === undefined
      ? name === 'param'
        ? readParam(given.get('0') ?? '', context)
        : null
      : isRead
        ? templateText(template, shortcode, context)
        : null;
  const isFull = !isRead || (text !== null && !inclusion.putValue(text));
  if (text === null || isFull) {
    const isMissing = template === undefined && name !== 'param';
    const why = isFull ? IS_FULL : isMissing ? 'has no template in the folder' : 'needs Hugo';
    inclusion.miss(
      { what: `{{< ${name}${name === 'param' ? ` ${given.get('0') ?? ''}` : ''} >}}`, line },
      place,
      why,
    );
    return null;
  }
  return text;
}
