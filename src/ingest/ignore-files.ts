import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Ignore files, with the pattern syntax of Git. In one folder, the later name takes precedence. */
export const IGNORE_NAMES: readonly string[] = ['.gitignore', '.ignore'];
/** Larger files are not read, since each path is compared with each pattern. */
const MAX_BYTES = 262_144;

interface IgnoreFile {
  /** Its folder relative to the root, with a slash at the end; '' for the root. */
  readonly base: string;
  /** For a file above the root: the path from its folder to the root, with a slash at the end; else ''. */
  readonly lead: string;
  readonly patterns: Ignore;
}

/** The ignore files that apply to a folder, highest precedence first: deeper folders take precedence. */
export type IgnoreRules = readonly IgnoreFile[];

function readPatterns(file: string): Ignore {
  if (statSync(file).size > MAX_BYTES) throw new RangeError(`longer than ${MAX_BYTES} bytes`);
  return ignore({ allowRelativePaths: true }).add(readFileSync(file, 'utf8'));
}

/** The folders from the parent up to the root of the Git repository; empty at that root and outside a repository. */
function foldersAbove(folder: string): string[] {
  const above: string[] = [];
  for (let each = folder; !existsSync(join(each, '.git')); each = dirname(each)) {
    if (dirname(each) === each) return [];
    above.push(dirname(each));
  }
  return above;
}

/** The ignore files above the root, highest precedence first; none if they ignore the root, which the user chose. */
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
      // The file is outside the indexed folder, so it is not reported.
      return [];
    }
  });
  return isIgnored(read, '') ? [] : read;
}

/** Adds the ignore files of a folder to those above it. @param folder  relative to the root; '' for the root */
export function withIgnoreFiles(
  above: IgnoreRules,
  root: string,
  { folder, names }: { readonly folder: string; readonly names: ReadonlySet<string> },
): { readonly rules: IgnoreRules; readonly unread: readonly { path: string; cause: unknown }[] } {
  const base = folder === '' ? '' : `${folder}/`;
  const unread: { path: string; cause: unknown }[] = [];
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

/** True when the matching pattern of highest precedence ignores the path. Paths of folders end with a slash. */
export function isIgnored(rules: IgnoreRules, path: string): boolean {
  for (const { base, lead, patterns } of rules) {
    const { ignored, unignored } = patterns.test(lead + path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}
