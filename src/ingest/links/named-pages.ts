import { rowsByKey } from '../../core/collections/group-rows.js';
import { type LinkedPage, stemOf } from './page-table.js';

/** Finds pages by their names, wherever they are. */
export interface NamedPages {
  /** @param name  of a page, perhaps with the last folders above it @param accepts  a condition on its path */
  find(name: string, accepts?: (path: string) => boolean): string | null;
}

interface Named {
  readonly key: string;
  readonly path: string;
}

/** Names are equal in any case, with spaces or dashes. Logseq writes a slash in a name as three low lines. */
const keyOf = (name: string): string =>
  stemOf(name)
    .normalize('NFC')
    .toLowerCase()
    .replace(/_{3}|%2f/g, '/')
    .replace(/[\s_-]+/g, '-')
    .replace(/^\/+|\/+$/g, '');

const lastOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
const depthOf = ({ key }: Named): number => key.split('/').length;

/** The shortest path first; Markdown first, since HTML files are often generated from it. */
const byLength = (a: Named, b: Named): number =>
  depthOf(a) - depthOf(b) ||
  a.key.length - b.key.length ||
  Number(/\.html?$/i.test(a.path)) - Number(/\.html?$/i.test(b.path)) ||
  (a.path < b.path ? -1 : 1);

const grouped = (named: readonly Named[]): ReadonlyMap<string, readonly Named[]> =>
  rowsByKey([...named].sort(byLength), ({ key }) => lastOf(key));

/**
 * Indexes pages as wikis find them: by file name, then by a name in the front matter, then by title. Of several pages
 * with a name, the one with the shortest path is found.
 */
export function namedPages(pages: readonly LinkedPage[]): NamedPages {
  const byFile = grouped(pages.map(({ path }) => ({ key: keyOf(path), path })));
  const byName = grouped(
    pages.flatMap(({ path, names = [] }) => names.map((name) => ({ key: keyOf(name), path }))),
  );
  const byTitle = grouped(pages.flatMap(({ path, title = '' }) => ({ key: keyOf(`${title}.md`), path })));
  return {
    find: (name, accepts = () => true) => {
      const key = keyOf(name);
      if (key === '') return null;
      for (const groups of [byFile, byName, byTitle]) {
        const found = groups
          .get(lastOf(key))
          ?.find((one) => (one.key === key || one.key.endsWith(`/${key}`)) && accepts(one.path));
        if (found) return found.path;
      }
      return null;
    },
  };
}
