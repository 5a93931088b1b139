import { isSurelyVersion, isVersionName, plainVersion } from '../text/version-name.js';

/** Folders are versions if they share this many pages, and half of the smaller one's, by their paths below the folder. */
const FEW_PAGES = 2;
const SHARED = 0.5;
/** Every folder has such a page. In a folder below, it is a page of its own: `setup/index.html` of `/setup/`. */
const INDEX = /^_?(?:index|readme)\.\w+$/i;
/** More folders are something else, such as issues by their numbers. */
const MAX_VERSIONS = 200;
/** Docusaurus keeps all versions but the next one here, each in a folder such as `version-2.0`. */
const DOCUSAURUS = /(?:^|\/)[\w-]*versioned_docs$/;

/** The folders below one folder that have the names of versions, with their pages. */
type Siblings = Map<string, Set<string>>;

function listSiblings(paths: readonly string[]): Map<string, Siblings> {
  const all = new Map<string, Siblings>();
  for (const path of paths) {
    const segments = path.split('/');
    for (const [at, name] of segments.slice(0, -1).entries()) {
      if (!isVersionName(name)) continue;
      const parent = segments.slice(0, at).join('/');
      const siblings: Siblings = all.get(parent) ?? new Map<string, Set<string>>();
      all.set(parent, siblings);
      const pages = siblings.get(name) ?? new Set();
      siblings.set(name, pages.add(segments.slice(at + 1).join('/')));
    }
  }
  return all;
}

function sharePages(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  const [smaller, larger] = a.size <= b.size ? [a, b] : [b, a];
  const common = [...smaller].filter((page) => larger.has(page));
  return (
    common.length >= smaller.size * SHARED && common.filter((page) => !INDEX.test(page)).length >= FEW_PAGES
  );
}

/**
 * The names among siblings that are versions. A number alone can be a chapter or a year, and a name such as `main` a team: they count
 * beside a name that is surely a version.
 */
function versionsAmong(parent: string, siblings: Siblings): string[] {
  if (DOCUSAURUS.test(parent)) return [...siblings.keys()];
  if (siblings.size > MAX_VERSIONS) return [];
  const sharing = [...siblings].flatMap(([name, pages]) => {
    const isShared = [...siblings].some(
      ([other, theirs]) =>
        other !== name && (isSurelyVersion(name) || isSurelyVersion(other)) && sharePages(pages, theirs),
    );
    return isShared ? [name] : [];
  });
  // The pages of a first version can all have moved since.
  const others = sharing.some(isSurelyVersion) ? [...siblings.keys()].filter(isSurelyVersion) : [];
  return [...new Set([...sharing, ...others])];
}

/**
 * Finds the versions that folders stand for: folders beside each other that are named like versions and have the same
 * pages, such as `2.21/setup.md` and `2.22/setup.md`.
 * @param paths  of all documents
 * @returns the version of a page, without `version-` or `v` before its number; undefined for a page in no such folder
 */
export function folderVersions(paths: readonly string[]): (path: string) => string | undefined {
  const folders = new Map<string, string>();
  for (const [parent, siblings] of listSiblings(paths)) {
    for (const name of versionsAmong(parent, siblings))
      folders.set(parent === '' ? name : `${parent}/${name}`, plainVersion(name));
  }
  return (path) => {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const version = folders.get(path.slice(0, end));
      if (version !== undefined) return version;
    }
    return undefined;
  };
}
