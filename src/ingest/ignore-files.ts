import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore from 'ignore';
import type { Ignore } from 'ignore';

/** Files with patterns of what to leave out, as Git and ripgrep read them; a later one wins over an earlier one of its folder. */
export const IGNORE_NAMES: readonly string[] = ['.gitignore', '.ignore'];
/** Longer ones are refused: each path is compared with each pattern. */
const MAX_BYTES = 262_144;

/** The patterns of one file. */
interface IgnoreFile {
  /** Its folder below the root, with a slash at its end; '' for the root. */
  readonly base: string;
  /** Where the file is above the root: the way down to the root, with a slash at its end; else ''. */
  readonly lead: string;
  readonly patterns: Ignore;
}

/** The ignore files that hold for a folder, the strongest first: those of deeper folders win. */
export type IgnoreRules = readonly IgnoreFile[];

/** An ignore file that could not be read. */
export interface UnreadIgnoreFile {
  readonly path: string;
  readonly cause: unknown;
}

function readPatterns(file: string): Ignore {
  if (statSync(file).size > MAX_BYTES) throw new RangeError(`longer than ${MAX_BYTES} bytes`);
  return ignore({ allowRelativePaths: true }).add(readFileSync(file, 'utf8'));
}

/** From the parent of a folder up to the root of its Git repository; empty at that root and outside a repository. */
function foldersAbove(folder: string): string[] {
  const above: string[] = [];
  for (let each = folder; !existsSync(join(each, '.git')); each = dirname(each)) {
    if (dirname(each) === each) return [];
    above.push(dirname(each));
  }
  return above;
}

/**
 * The ignore files of the Git repository above the root, the strongest first. None where they leave out the root
 * itself: it was named on purpose.
 */
export function ignoreFilesAbove(root: string): IgnoreRules {
  const below = resolve(root);
  const rules = foldersAbove(below).flatMap((folder) => {
    const lead = `${relative(folder, below).split(sep).join('/')}/`;
    const files = [...IGNORE_NAMES].reverse().map((name) => join(folder, name));
    return files.filter((file) => existsSync(file)).map((file) => ({ base: '', lead, file }));
  });
  const read = rules.flatMap(({ file, ...rule }) => {
    try {
      return [{ ...rule, patterns: readPatterns(file) }];
    } catch {
      // It lies outside what is indexed and reported.
      return [];
    }
  });
  return isIgnored(read, '') ? [] : read;
}

/**
 * Adds the ignore files of a folder to those above it.
 * @param folder  below the root; '' for the root
 * @param names  of the regular files in it
 */
export function withIgnoreFiles(
  above: IgnoreRules,
  {
    root,
    folder,
    names,
  }: { readonly root: string; readonly folder: string; readonly names: ReadonlySet<string> },
): { readonly rules: IgnoreRules; readonly unread: readonly UnreadIgnoreFile[] } {
  const base = folder === '' ? '' : `${folder}/`;
  const unread: UnreadIgnoreFile[] = [];
  const rules = [...above];
  for (const name of IGNORE_NAMES.filter((each) => names.has(each))) {
    const file = join(root, base, name);
    try {
      rules.unshift({ base, lead: '', patterns: readPatterns(file) });
    } catch (cause) {
      unread.push({ path: base + name, cause });
    }
  }
  return { rules, unread };
}

/** Whether the strongest pattern that matches leaves a path out. @param path  below the root; a folder ends with a slash */
export function isIgnored(rules: IgnoreRules, path: string): boolean {
  for (const { base, lead, patterns } of rules) {
    const { ignored, unignored } = patterns.test(lead + path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
