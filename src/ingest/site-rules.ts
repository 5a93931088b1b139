import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { SiteRules } from './reading/anchors/site-anchors.js';
import { type Mark, MARKS, PLAYBOOKS } from './site-marks.js';
import { navigationReader } from './trails/navigation.js';

/** Larger settings are not read. */
export const MAX_SITE_BYTES = 250_000;
/** Folders above the indexed one that may have the settings: `docs/source` below a repository. */
export const MAX_ABOVE = 2;

const SETTINGS = new Set([...MARKS.map(({ name }) => name), ...PLAYBOOKS, 'antora.yml', '_toc.yml']);

/** True for a file that tells the generator of a site, its rules for anchors, or the titles above its pages. */
export function isSiteSetting(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return (
    SETTINGS.has(name) ||
    /^(?:[\w-]+_)?versions\.json$/.test(name) ||
    /(?:^|\/)config\/_default\/[^/]+$/.test(path) ||
    navigationReader(name) !== undefined
  );
}

/** A page of a site. */
export interface PageFile {
  /** From the indexed folder. */
  readonly path: string;
  readonly absolute: string;
}

/** Finds the rules for the anchors of a page by the settings of its site; the nearest folder with settings decides. */
export function siteRulesOf(): (page: PageFile) => SiteRules | null {
  const known = new Map<string, { readonly marks: readonly Mark[]; readonly isTop: boolean }>();
  const contents = new Map<string, string>();
  const contentOf = (file: string): string => {
    const content = contents.get(file) ?? readSmall(file);
    contents.set(file, content);
    return content;
  };
  const factsOn = (folder: string) => {
    const facts = known.get(folder) ?? {
      marks: MARKS.filter(({ name }) => existsSync(join(folder, name))),
      isTop: existsSync(join(folder, '.git')) || dirname(folder) === folder,
    };
    known.set(folder, facts);
    return facts;
  };
  return ({ path, absolute }) => {
    let folder = dirname(absolute);
    for (let left = path.split('/').length + MAX_ABOVE; left > 0; left--) {
      const { marks, isTop } = factsOn(folder);
      for (const { name, rules } of marks) {
        const below = relative(folder, absolute).split(sep).join('/');
        const found = rules((other = name) => contentOf(join(folder, other)), below);
        if (found) return found;
      }
      if (isTop) break;
      folder = dirname(folder);
    }
    return null;
  };
}

/** Reads a file of settings. @returns '' for one that is too large or can't be read */
export function readSmall(path: string): string {
  try {
    const stats = statSync(path);
    // Reading a pipe would wait for its writer.
    return stats.isFile() && stats.size <= MAX_SITE_BYTES ? readFileSync(path, 'utf8') : '';
  } catch {
    // It may not be readable; then its defaults count.
    return '';
  }
}
