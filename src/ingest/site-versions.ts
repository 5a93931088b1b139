import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';
import { isNewerVersion, isUnreleasedName, isVersionName, plainVersion } from '../text/version-name.js';
import { MARKS } from './site-marks.js';
import { MAX_ABOVE, type PageFile, readSmall } from './site-rules.js';
import { SITE_BESIDE } from './trails/navigation.js';

/** The version of a page, as the settings of its site complete what its folder tells. */
export interface SiteVersion {
  readonly version: string | undefined;
  /** True if the settings say that it is not released. */
  readonly isUnreleased: boolean;
}

/** `prerelease` with a value other than false, null or an empty text. */
const PRERELEASE = /^prerelease:[ \t]*(?!(?:false\b|null\b|~|''|"")?[ \t]*(?:#|$))\S/m;
const ANTORA = /^(.*)\/modules\/[^/]+\/.*$/;
const VERSIONED = /^(.*)\/(?:([\w-]+)_)?versioned_docs\/version-([^/]+)\//;
const TRANSLATED = /^(.*)\/i18n\/[^/]+\/docusaurus-plugin-content-docs(?:-([\w-]+))?\/(?:version-)?([^/]+)\//;
const CONFIGS = ['js', 'ts', 'mjs', 'cjs'].map((ending) => `docusaurus.config.${ending}`);
const LAST = /\blastVersion['"]?\s*:\s*['"`]([^'"`\n]{1,60})['"`]/g;
const LABEL = /\bcurrent['"]?\s*:\s*\{[^{}]{0,400}?\blabel['"]?\s*:\s*['"`]([^'"`\n$]{1,60})['"`]/;
/** Settings around the id of one of several sets of pages. */
const NEAR_ID = 1_500;
const HUGO = MARKS.map(({ name }) => name).filter((name) =>
  /^(?:hugo|config)\.|^config\/_default$/.test(name),
);
const HUGO_PARAMS = ['toml', 'yaml', 'yml', 'json'].flatMap((format) =>
  ['params', 'hugo', 'config'].map((name) => `config/_default/${name}.${format}`),
);
/** The parameter by which themes of Hugo name the newest release: `latest_stable_version: v3.7`, `latest = "v1.31"`. */
const NEWEST =
  /^[ \t]*["']?(?:latest|(?:latest|stable|current)_?(?:stable_?)?(?:version|release))["']?[ \t]*[:=][ \t]*["']?(v?\d+\.\d[\w.-]{0,40})/im;
const VALUES = /:[ \t]+(?:&[\w-]+[ \t]+)?["']?([^"'\n#]{1,60})/g;
const HEADER = /^(?:---|\+\+\+)\n([^]{0,8000}?)\n(?:---|\+\+\+)/;

const readList = (file: string): readonly unknown[] => {
  try {
    const list: unknown = JSON.parse(readSmall(file));
    return Array.isArray(list) ? list : [];
  } catch {
    // Not JSON: as without the file.
    return [];
  }
};

/** The versions of one set of pages of Docusaurus, newest first, and the one that it shows first. */
interface Docusaurus {
  readonly versions: readonly string[];
  readonly last: string;
  /** The name of the version in the folder of pages that have no version yet. */
  readonly next: string;
}

/** @param id  of the set of pages; '' for `docs` */
function readDocusaurus(site: string, id: string): Docusaurus | null {
  const prefix = id === '' ? '' : `${id}_`;
  const versions = readList(join(site, `${prefix}versions.json`)).filter((name) => typeof name === 'string');
  const config = CONFIGS.map((name) => readSmall(join(site, name))).join('');
  const [first] = versions;
  if (first === undefined || (config === '' && !existsSync(join(site, `${prefix}versioned_docs`))))
    return null;
  const at = id === '' ? -1 : config.search(new RegExp(`['"\`]${id}['"\`]`));
  const own = at < 0 ? (id === '' ? config : '') : config.slice(Math.max(0, at - NEAR_ID), at + NEAR_ID);
  const named = Array.from(own.matchAll(LAST), ([, name = '']) => name);
  const last = named.find((name) => name === 'current' || versions.includes(name)) ?? first;
  const label = LABEL.exec(own)?.[1];
  const next = label !== undefined && isVersionName(label) ? plainVersion(label) : null;
  return { versions, last, next: next ?? (last === 'current' ? 'latest' : 'next') };
}

/** Docusaurus marks the versions above the one that it shows first as unreleased. @param name  null for the next version */
function placeIn({ versions, last, next }: Docusaurus, name: string | null): SiteVersion {
  if (name === null) return { version: next, isUnreleased: last !== 'current' };
  return { version: plainVersion(name), isUnreleased: versions.indexOf(name) < versions.indexOf(last) };
}

/** True if the start page of a version says so: `versName: v3.8-DRAFT`, `draft: true`. */
function isDraft(folder: string, version: string): boolean {
  const header = ['_index.md', 'index.md'].map(
    (name) => HEADER.exec(readSmall(join(folder, name)))?.[1] ?? '',
  );
  const isNamed = (value: string): boolean =>
    isUnreleasedName(value) && plainVersion(value).startsWith(version);
  return header.some(
    (text) =>
      /^[ \t]*draft[ \t]*[:=][ \t]*true\b/m.test(text) ||
      Array.from(text.matchAll(VALUES), ([, value = '']) => value.trim()).some(isNamed),
  );
}

/** The newest release by the settings of a site of Hugo. @returns '' if they do not name it */
function readNewest(folder: string): string {
  if (!HUGO.some((name) => existsSync(join(folder, name)))) return '';
  const names = [...HUGO.filter((name) => name.includes('.')), ...HUGO_PARAMS];
  return NEWEST.exec(names.map((name) => readSmall(join(folder, name))).join('\n'))?.[1] ?? '';
}

/** True if a version is above the newest release, by as many numbers as that has: 3.7.2 is not above 3.7. */
function isAbove(version: string, newest: string): boolean {
  const { length } = plainVersion(newest).split('.');
  const name = plainVersion(version).split('.').slice(0, length).join('.');
  return isNewerVersion({ name }, { name: newest });
}

/** The folders above a page, the nearest first, up to the root of its repository. */
function foldersAbove(path: string, count: number): string[] {
  const folders: string[] = [];
  for (let at = dirname(path); folders.length < count; at = dirname(at)) {
    folders.push(at);
    if (existsSync(join(at, '.git')) || dirname(at) === at) break;
  }
  return folders;
}

/** Calls a function once for each key. */
function once<T>(read: (key: string) => T): (key: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (key) => {
    const found = known.get(key) ?? { value: read(key) };
    known.set(key, found);
    return found.value;
  };
}

/**
 * Finds what the settings of a site say about the version of a page: `prerelease` of Antora, `versions.json` and `lastVersion`
 * of Docusaurus, and for versions in folders of Hugo, the newest release in its settings and the start page of the version.
 */
export function findSiteVersions(): (page: PageFile, version: string | undefined) => SiteVersion {
  const isPrerelease = once((folder) => PRERELEASE.test(readSmall(join(folder, 'antora.yml'))));
  const docusaurus = once((key) => {
    const [site = '', id = ''] = key.split('\0');
    return readDocusaurus(site, id);
  });
  const newestIn = once(readNewest);
  const draftIn = once((key) => {
    const [folder = '', version = ''] = key.split('\0');
    return isDraft(folder, version);
  });
  /** The next version has the pages of a folder beside the versions. */
  const nextIn = once((folder): SiteVersion | null => {
    const id = basename(folder) === 'docs' ? '' : basename(folder);
    const sites = [dirname(folder), join(dirname(folder), SITE_BESIDE)];
    const found = sites.map((site) => docusaurus(`${site}\0${id}`)).find((each) => each !== null);
    return found ? placeIn(found, null) : null;
  });
  const hugo = (folders: readonly string[], version: string): boolean => {
    const own = folders.find((folder) => plainVersion(basename(folder)) === version);
    if (own === undefined) return false;
    const newest = folders.map(newestIn).find((name) => name !== '');
    return draftIn(`${own}\0${version}`) || (newest !== undefined && isAbove(version, newest));
  };
  return ({ path: named, absolute }, version) => {
    const path = sep === '/' ? absolute : absolute.split(sep).join('/');
    const component = ANTORA.exec(path)?.[1];
    if (component !== undefined && isPrerelease(component)) return { version, isUnreleased: true };
    const [, site, id = '', name = ''] = VERSIONED.exec(path) ?? TRANSLATED.exec(path) ?? [];
    const versions = site === undefined ? null : docusaurus(`${site}\0${id}`);
    if (versions) return placeIn(versions, name === 'current' ? null : name);
    const folders = foldersAbove(path, named.split('/').length + MAX_ABOVE);
    if (version !== undefined) return { version, isUnreleased: hugo(folders, version) };
    const next = folders.map(nextIn).find((found) => found !== null);
    return next ?? { version, isUnreleased: false };
  };
}
