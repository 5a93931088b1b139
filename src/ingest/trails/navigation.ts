import { posix } from 'node:path';
import { readHeading } from '../reading/read-heading.js';
import { parseSettings } from '../reading/written-yaml.js';
import { trailTitle } from './folder-title.js';

/** A link in a navigation file, with the titles above it. */
interface NavigationEntry {
  /** Path without query and fragment, relative to the indexed folder. */
  readonly target: string;
  readonly trail: readonly string[];
  /** The text of the link; '' without one. */
  readonly label: string;
}

/** Reads a navigation file. @param folder  the file's folder @throws Error for invalid YAML */
type NavigationReader = (text: string, folder: string, name: string) => readonly NavigationEntry[];

/** Deeper entries are left out. */
const MAX_DEPTH = 16;
const SUMMARY_ITEM = /^([ \t]*)[-*+][ \t]+(?:\[((?:[^[\]]|\[[^[\]]*\])*)\]\(<?([^()<>\s]*)>?\)|([^\n]+))$/;
const SUMMARY_PART = /^#{1,6}[ \t]+(.+)$/;
/** The start of the object that a JavaScript file exports. */
const EXPORTED = /(?:=|export\s+default)\s*\{/;

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function entry(
  href: string,
  folder: string,
  { trail, label = '' }: { readonly trail: readonly string[]; readonly label?: string },
): NavigationEntry[] {
  const path = href.replace(/[?#].*$/s, '');
  if (path === '' || /^[a-z][a-z+.-]*:/i.test(path)) return [];
  const target = posix.normalize(posix.join(folder, path)).replace(/^\.\//, '').normalize('NFC');
  return target.startsWith('..') ? [] : [{ target, trail, label }];
}

const below = (trail: readonly string[], title: string): readonly string[] =>
  title === '' ? trail : [...trail, title];

/** `nav` of MkDocs: a list of paths, and of maps from a title to a path or a list. */
function readMkDocs(text: string, folder: string): NavigationEntry[] {
  const config = parseSettings(text);
  if (!isMap(config)) return [];
  const pages = posix.join(folder, typeof config['docs_dir'] === 'string' ? config['docs_dir'] : 'docs');
  const walk = (items: unknown, trail: readonly string[]): NavigationEntry[] =>
    trail.length > MAX_DEPTH
      ? []
      : listOf(items).flatMap((item) => {
          if (typeof item === 'string') return entry(item, pages, { trail });
          const pairs = isMap(item) ? Object.entries(item) : [];
          return pairs.flatMap(([title, value]) =>
            typeof value === 'string'
              ? entry(value, pages, { trail, label: trailTitle(title) })
              : walk(value, below(trail, trailTitle(title))),
          );
        });
  return walk(config['nav'], []);
}

/** The table of contents of DocFX: items with a name, a link and items below. */
function readToc(text: string, folder: string): NavigationEntry[] {
  const toc = parseSettings(text);
  const walk = (items: unknown, trail: readonly string[]): NavigationEntry[] =>
    trail.length > MAX_DEPTH
      ? []
      : listOf(items).flatMap((item) => {
          if (!isMap(item)) return [];
          const hrefs = [item['href'], item['topicHref']].filter((href) => typeof href === 'string');
          const inner = below(trail, trailTitle(item['name']));
          return [
            ...hrefs.flatMap((href) =>
              entry(href, folder, {
                trail: /(?:\/|toc\.ya?ml)$/i.test(href) ? inner : trail,
                label: trailTitle(item['name']),
              }),
            ),
            ...walk(item['items'], inner),
          ];
        });
  return walk(isMap(toc) ? toc['items'] : toc, []);
}

/** `SUMMARY.md` of GitBook and mdBook: nested lists of links, below headings that name parts. */
function readSummary(text: string, folder: string): NavigationEntry[] {
  let part = '';
  let isFirst = true;
  const open: { readonly indent: number; readonly title: string }[] = [];
  return text.split('\n').flatMap((line) => {
    const heading = SUMMARY_PART.exec(line)?.[1];
    if (heading !== undefined) {
      // The first heading is the title of the file.
      part = isFirst ? '' : trailTitle(readHeading(heading).title);
      isFirst = false;
      open.length = 0;
      return [];
    }
    const [, space = '', linked, href = '', plain] = SUMMARY_ITEM.exec(line) ?? [];
    if (linked === undefined && plain === undefined) return [];
    const indent = space.replaceAll('\t', '    ').length;
    while ((open.at(-1)?.indent ?? -1) >= indent) open.pop();
    const trail = [part, ...open.map(({ title }) => title)].filter((title) => title !== '');
    const label = trailTitle(readHeading(linked ?? plain ?? '').title);
    open.push({ indent, title: label });
    return entry(href, folder, { trail: trail.slice(0, MAX_DEPTH), label });
  });
}

/** Sidebars of Docusaurus: lists of ids, and categories with a label and items. */
function walkSidebar(item: unknown, folder: string, trail: readonly string[]): NavigationEntry[] {
  if (trail.length > MAX_DEPTH) return [];
  if (typeof item === 'string') return entry(item, folder, { trail });
  if (Array.isArray(item)) return item.flatMap((each) => walkSidebar(each, folder, trail));
  if (!isMap(item)) return [];
  const { type, id, label, items, link } = item;
  if (typeof id === 'string' && type !== 'category')
    return entry(id, folder, { trail, label: trailTitle(label) });
  if (items !== undefined) {
    const start =
      isMap(link) && typeof link['id'] === 'string'
        ? entry(link['id'], folder, { trail, label: trailTitle(label) })
        : [];
    return [...start, ...walkSidebar(items, folder, below(trail, trailTitle(label)))];
  }
  if (type !== undefined) return [];
  return Object.entries(item).flatMap(([title, value]) =>
    walkSidebar(value, folder, below(trail, trailTitle(title))),
  );
}

function withoutComments(text: string): string {
  const [first = '', ...rest] = text.split('/*');
  const code = [
    first,
    ...rest.map((part) => (part.includes('*/') ? part.slice(part.indexOf('*/') + 2) : '')),
  ];
  return code.join('').replace(/(^|\s)\/\/[^\n]*/g, '$1');
}

/** JavaScript literals are read as YAML flow values. A file that computes its sidebars has no entries. */
function sidebarEntries(text: string, folders: readonly string[]): NavigationEntry[] {
  const source = withoutComments(text);
  const at = EXPORTED.exec(source)?.index ?? 0;
  const sidebars = parseSettings(source.slice(source.indexOf('{', at), source.lastIndexOf('}') + 1));
  if (!isMap(sidebars)) return [];
  return Object.values(sidebars).flatMap((sidebar) =>
    folders.flatMap((pages) => walkSidebar(sidebar, pages, [])),
  );
}

/** The folder of a site can stand beside that of its pages. */
export const SITE_BESIDE = 'website';

const readSidebars = (text: string, folder: string): NavigationEntry[] =>
  sidebarEntries(text, [
    ...[posix.join(folder, 'docs'), folder],
    ...(posix.basename(folder) === SITE_BESIDE ? [posix.join(folder, '..', 'docs')] : []),
  ]);

/** The sidebars of a version of Docusaurus, in a folder beside that of its pages. */
const VERSION_SIDEBARS = /^(version-[\w.-]{1,100})-sidebars\.json$/;
const readVersionSidebars = (text: string, folder: string, name: string): NavigationEntry[] =>
  sidebarEntries(text, [
    posix.join(
      folder.replace(/versioned_sidebars$/, 'versioned_docs'),
      VERSION_SIDEBARS.exec(name)?.[1] ?? '',
    ),
  ]);

const ANTORA_ITEM = /^(\*{1,16})[ \t]+(?:xref:([^[\s]{1,500})\[([^\]]*)\]|(.+))$/;

/** `nav.adoc` of Antora, in the folder of a module: nested lists of references, below titles of lists. */
function readAntora(text: string, folder: string): NavigationEntry[] {
  let list = '';
  const open: string[] = [];
  return text.split('\n').flatMap((line) => {
    const title = /^\.(\w.*)$/.exec(line)?.[1];
    if (title !== undefined) [list, open.length] = [trailTitle(title), 0];
    const [, marks, page = '', linked, plain = ''] = ANTORA_ITEM.exec(line) ?? [];
    if (marks === undefined) return [];
    open.length = Math.min(open.length, marks.length - 1);
    const trail = [list, ...open].filter((above) => above);
    // Attributes such as {product} have no value here.
    const written = linked ?? plain;
    const label = written.includes('{') ? '' : trailTitle(readHeading(written).title);
    open[marks.length - 1] = label;
    const [path = '', module] = page.split(':').reverse();
    return entry(path, module === undefined ? `${folder}/pages` : posix.join(folder, '..', module, 'pages'), {
      trail,
      label,
    });
  });
}

const READERS: readonly (readonly [RegExp, NavigationReader])[] = [
  [/^mkdocs\.ya?ml$/, readMkDocs],
  [/^SUMMARY\.md$/i, readSummary],
  [/^toc\.ya?ml$/i, readToc],
  [/^sidebars\.(?:json|[cm]?[jt]s)$/, readSidebars],
  [VERSION_SIDEBARS, readVersionSidebars],
  [/^nav\.adoc$/, readAntora],
];

/** Finds the reader for a navigation file by its name; undefined for other files. */
export function navigationReader(name: string): NavigationReader | undefined {
  return READERS.find(([pattern]) => pattern.test(name))?.[1];
}
