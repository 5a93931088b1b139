import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import type { SiteRules } from './reading/anchors/site-anchors.js';

/** A file by which a generator is known, in a folder at or above the pages. */
interface Mark {
  readonly name: string;
  /** @param below  path of the page from the folder of the mark @returns null if the page is not part of the site */
  readonly rules: (read: () => string, below: string) => SiteRules | null;
}

/** Larger settings are not read. */
const MAX_BYTES = 250_000;
/** Folders above the indexed one that may have the settings: `docs/source` below a repository. */
const MAX_ABOVE = 2;

const DOCS_DIR = /^docs_dir:[ \t]*["']?([^\s"'#]{1,200})/m;
const mkDocs: Mark['rules'] = (read, below) => {
  const settings = read();
  const folder = (DOCS_DIR.exec(settings)?.[1] ?? 'docs').replace(/^\.\//, '').replace(/\/+$/, '');
  if (folder !== '.' && !below.startsWith(`${folder}/`)) return null;
  return settings.includes('pymdownx.slugs') ? 'pymdown' : 'python-markdown';
};
const zola: Mark['rules'] = (read, below) =>
  below.startsWith('content/') && /^base_url\s*=/m.test(read()) ? 'zola' : null;

const MARKS: readonly Mark[] = [
  { name: 'mkdocs.yml', rules: mkDocs },
  { name: 'mkdocs.yaml', rules: mkDocs },
  { name: 'conf.py', rules: () => 'sphinx' },
  { name: 'book.toml', rules: () => 'mdbook' },
  { name: '.vitepress', rules: () => 'vitepress' },
  { name: '.vuepress', rules: () => 'vitepress' },
  { name: 'config.toml', rules: zola },
  { name: 'zola.toml', rules: zola },
];

interface PageFile {
  /** From the indexed folder. */
  readonly path: string;
  readonly absolute: string;
}

/** Finds the rules for the anchors of a page by the settings of its site; the nearest folder with settings decides. */
export function siteRulesOf(): (page: PageFile) => SiteRules | null {
  const known = new Map<string, readonly Mark[]>();
  const marksIn = (folder: string): readonly Mark[] => {
    const marks = known.get(folder) ?? MARKS.filter(({ name }) => existsSync(join(folder, name)));
    known.set(folder, marks);
    return marks;
  };
  return ({ path, absolute }) => {
    let folder = dirname(absolute);
    for (let left = path.split('/').length + MAX_ABOVE; left > 0; left--) {
      const below = relative(folder, absolute).split(sep).join('/');
      for (const { name, rules } of marksIn(folder)) {
        const found = rules(() => readSmall(join(folder, name)), below);
        if (found) return found;
      }
      if (existsSync(join(folder, '.git')) || dirname(folder) === folder) break;
      folder = dirname(folder);
    }
    return null;
  };
}

function readSmall(path: string): string {
  try {
    return statSync(path).size > MAX_BYTES ? '' : readFileSync(path, 'utf8');
  } catch {
    // It may be a folder, or not readable; then its defaults count.
    return '';
  }
}
