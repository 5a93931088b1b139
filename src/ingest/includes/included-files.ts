import { readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { type GroupLists, listsKey, plainLists } from '../../core/document-groups.js';
import type { Remark } from '../../core/indexed-document.js';
import { isDocument } from '../conversion/formats.js';
import { namesGroups } from '../manifest/written-groups.js';
import { decodeSource } from '../reading/decode-source.js';
import type { DocumentRules } from '../reading/document-metadata.js';
import { extensionOf } from '../reading/readers.js';
import { readMarkup } from '../reading/text-markup.js';
import { type Components, expandAsciidoc } from './asciidoc-includes.js';
import { expandIncludes } from './expand-includes.js';
import { expandLiquid, jekyllSite } from './expand-liquid.js';
import { expandShortcodes, type HugoSite, hugoSites } from './hugo-shortcodes.js';
import { type CorpusFiles, type IncludePlace, Inclusion, type Lines, type Missed } from './inclusion.js';
import { expandPartials } from './mdx-partials.js';
import { hasStatements, isInTemplates, partRank } from './part-names.js';
import { expandRst } from './rst-includes.js';
import { SiteValues } from './site-values.js';
import {
  type Definitions,
  expandSubstitutions,
  pageBeside,
  sphinxDefinitions,
  sphinxSettings,
  withDefinitions,
} from './sphinx-values.js';

const MAX_BYTES = 400_000;
/** Kinds of includes that a run names. */
const MAX_NAMED = 50;

type Rules = Pick<DocumentRules, 'repository' | 'isUntrusted' | 'docTag'>;

/** The owner of a page or file, and the groups that may see it by the settings of the corpus. */
interface Owner extends Rules {
  /** As `listsKey` writes it. */
  readonly groups: string;
}

/** The files and values that pages of one owner may see. */
interface View {
  readonly files: CorpusFiles;
  readonly values: SiteValues;
  readonly hugoSite: (page: string) => HugoSite | null;
  /** Of Sphinx, by the paths of its settings. */
  readonly definitions: Map<string, Definitions>;
  /** Of MyST, by the same paths. */
  readonly substitutions: Map<string, object>;
}

export interface ExpandedPage {
  readonly bytes: Buffer;
  /** True if it changes when other files do. */
  readonly dependsOnOthers: boolean;
}

/**
 * The files that pages may include: regular files that the walk found. Hidden and ignored files, and those behind
 * symbolic links, are not among them.
 */
export class IncludedFiles implements CorpusFiles {
  private readonly absoluteOf = new Map<string, string>();
  private readonly missed: Missed[] = [];
  /** The files that pages include, with the pages that all readers of the file see. */
  private readonly used = new Map<string, string[]>();
  private readonly values = new SiteValues(this);
  private readonly hugoSite = hugoSites(this, this.values);
  private readonly views = new Map<string, View>();
  private readonly parts: string[] = [];
  private components: Components | undefined;

  /** @param rulesFor  the manifest's settings for a path @param listsFor  the groups that may see it by these */
  constructor(
    private readonly rulesFor: (path: string) => Rules,
    private readonly listsFor: (path: string) => GroupLists = () => [],
  ) {}

  add(path: string, absolute: string): void {
    this.absoluteOf.set(path, absolute);
  }

  has(path: string): boolean {
    return this.absoluteOf.has(path);
  }

  paths(): Iterable<string> {
    return this.absoluteOf.keys();
  }

  read(path: string): string | null {
    const absolute = this.absoluteOf.get(path);
    try {
      if (absolute === undefined || statSync(absolute).size > MAX_BYTES) return null;
      return decodeSource(readFileSync(absolute));
    } catch {
      return null;
    }
  }

  /** The bytes of a page with the files that it includes. */
  expand(bytes: Buffer, path: string, rules: DocumentRules): ExpandedPage {
    const owner = { ...rules, groups: this.readGroups(path) };
    const inclusion = new Inclusion(this.viewFor(owner).files);
    try {
      const text = decodeSource(bytes);
      const whole = this.expandText(text, { page: path, above: [], inclusion }, owner);
      this.missed.push(...inclusion.missed);
      if (inclusion.used.size > 0 && !namesGroups(text, path)) this.keepUsed(inclusion, { ...owner, path });
      return { bytes: whole === text ? bytes : Buffer.from(whole), dependsOnOthers: inclusion.isAsked };
    } catch {
      // The reader of the page reports bytes that are not text.
      return { bytes, dependsOnOthers: false };
    }
  }

  /** True for a template, and for a part of a page; it is then counted. @param isIndexed  true for a page of the index */
  takePart(path: string, isIndexed: (page: string) => boolean): boolean {
    const pages = partRank(path) === 0 ? [] : (this.used.get(path) ?? []);
    const isPart = pages.some(isIndexed) || this.isTemplate(path);
    if (isPart) this.parts.push(path);
    return isPart;
  }

  /** Lines for the report: the includes that were not put in, the most frequent first, and the number of files that are parts of pages. */
  remarks(): Remark[] {
    const { length } = this.parts;
    const named = `${this.parts.slice(0, MAX_NAMED).join(', ')}${length > MAX_NAMED ? ', …' : ''}`;
    const reason = `parts of the pages that include them or templates, not pages of their own: ${named}`;
    const parts = length > 0 ? [{ path: counted(length, 'file'), reason, isProblem: false }] : [];
    return [...this.missedRemarks(), ...parts];
  }

  /** Texts that include each other are pages: in some sites all pages are texts. */
  private keepUsed({ used }: Inclusion, { path, groups }: Owner & { readonly path: string }): void {
    for (const part of used) {
      if (this.readGroups(part) !== groups || (partRank(part) === 1 && partRank(path) === 1)) continue;
      const pages = this.used.get(part) ?? [];
      pages.push(path);
      this.used.set(part, pages);
    }
  }

  /**
   * The files that a page may include: those of its repository, but no documents that have another tag, and what is no
   * document in other repositories that are trusted. A file with groups is only in pages with the same groups, and one
   * that names groups itself is in none. So no page shows what its readers may not see, or text that it can't be trusted with.
   */
  private visibleTo(page: Owner): CorpusFiles & { readonly paths: () => Iterable<string> } {
    const has = (path: string): boolean => {
      if (!this.has(path)) return false;
      const groups = this.readGroups(path);
      if (groups !== '' && groups !== page.groups) return false;
      const owner = this.rulesFor(path);
      if (owner.repository === page.repository)
        return owner.docTag === page.docTag || !isDocument(path) || this.isTemplate(path);
      return page.isUntrusted !== true && owner.isUntrusted !== true && !isDocument(path);
    };
    const read = (path: string): string | null => {
      const text = has(path) ? this.read(path) : null;
      return text !== null && namesGroups(text, path) ? null : text;
    };
    return { has, read, paths: () => this.paths() };
  }

  private readGroups(path: string): string {
    return listsKey(plainLists(this.listsFor(path)));
  }

  private viewFor(page: Owner): View {
    const key = JSON.stringify([page.repository, page.docTag, page.isUntrusted === true, page.groups]);
    const known = this.views.get(key);
    if (known) return known;
    const files = this.visibleTo(page);
    const values = this.values.within(files);
    const sphinx = { definitions: new Map(), substitutions: new Map() };
    const view = { files, values, hugoSite: hugoSites(files, values), ...sphinx };
    this.views.set(key, view);
    return view;
  }

  /** True for HTML of Jekyll, of Hugo, and with statements of Jinja and its kin, that only makes sense in a page. */
  private isTemplate(path: string): boolean {
    const [, folder = '', jekyll] = TEMPLATE.exec(path) ?? [];
    if (jekyll) return this.has(`${folder}_config.yml`);
    const site = TEMPLATE.test(path) ? this.hugoSite(path) : null;
    if (site !== null) return HUGO_TEMPLATE.test(posix.relative(site.folder, path));
    return isInTemplates(path) && hasStatements(this.read(path) ?? '');
  }

  private missedRemarks(): Remark[] {
    const kinds = new Map<string, { readonly first: Missed; count: number }>();
    for (const first of this.missed) {
      const key = `${first.what} ${first.why}`;
      const kind = kinds.get(key) ?? { first, count: 0 };
      kind.count++;
      kinds.set(key, kind);
    }
    if (kinds.size === 0) return [];
    const named = [...kinds.values()].sort((a, b) => b.count - a.count).slice(0, MAX_NAMED);
    const pages = new Set(this.missed.map(({ path }) => path)).size;
    const which = kinds.size > named.length ? `, the first ${named.length} of ${kinds.size}` : '';
    const total = `${counted(this.missed.length, 'include')} in ${counted(pages, 'page')}`;
    return [
      { path: total, reason: `not put in${which}`, isProblem: false },
      ...named.map(({ first: { path, line, what, why }, count }) => ({
        path: line > 0 ? `${path}:${line}` : path,
        reason: `${what} ${why}${count > 1 ? `, and ${counted(count - 1, 'more place')}` : ''}`,
        isProblem: false,
      })),
    ];
  }

  private expandText(text: string, place: IncludePlace, rules: DocumentRules & Owner): string {
    const markup = readMarkup(extensionOf(place.page), text);
    if (markup === 'rst')
      return withDefinitions(expandRst(text, place), place, definitionsFor(place, this.viewFor(rules)));
    if (markup === 'adoc')
      return expandAsciidoc(text, place, {
        attributes: rules.attributes ?? {},
        components: (this.components ??= this.findComponents()),
      });
    return markup === null ? text : expandPage(text, place, { markup, ...this.viewFor(rules) });
  }

  /** The components of Antora; those of several versions are in several folders, of which the last one counts. */
  private findComponents(): Components {
    const found = new Map<string, Lines>();
    for (const path of [...this.absoluteOf.keys()].sort()) {
      const [, folder] = /^(.*\/|)antora\.yml$/.exec(path) ?? [];
      const [, name] = folder === undefined ? [] : (NAME.exec(this.read(path) ?? '') ?? []);
      if (folder !== undefined && name !== undefined) found.set(name, [folder, ...(found.get(name) ?? [])]);
    }
    return found;
  }
}

/** Markdown, MDX and HTML, with the templates of their site. */
function expandPage(
  text: string,
  place: IncludePlace,
  { markup, files, values, hugoSite, substitutions }: View & { readonly markup: 'md' | 'mdx' | 'html' },
): string {
  // Settings of its site that a later run finds can give it values; `{{#if}}` is of other templates.
  if (/\{(?:\{(?![#/])|%)/.test(text)) place.inclusion.isAsked = true;
  const hugo = /\{\{[<%]/.test(text) ? hugoSite(place.page) : null;
  const jekyll = hugo || !/\{[{%]/.test(text) ? null : jekyllSite(place.page, { files, values });
  const whole = hugo
    ? expandShortcodes(text, place, hugo)
    : jekyll
      ? expandLiquid(text, place, jekyll)
      : markup === 'md'
        ? expandSubstitutions(text, place, substitutions)
        : text;
  if (markup === 'html') return whole;
  const withPages = expandPartials(whole, place);
  return markup === 'md' ? expandIncludes(withPages, place) : withPages;
}

function definitionsFor({ page, inclusion }: IncludePlace, { files, definitions }: View): Definitions {
  const settings = sphinxSettings(page, inclusion) ?? '';
  const made =
    definitions.get(settings) ??
    sphinxDefinitions(files.read(settings) ?? '', pageBeside(settings), new Inclusion(files));
  definitions.set(settings, made);
  return made;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

const TEMPLATE = /^(.*\/|)(?:(_includes|_layouts)|layouts)\/.+\.html?$/;
/** From the folder of the site. */
const HUGO_TEMPLATE = /^(?:(?:themes\/[^/]+|_vendor\/.+)\/)?layouts\//;
const NAME = /^name:[ \t]*["']?([\w.-]+)/m;
