import { readFile, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import ignore from 'ignore';
import { type GroupLists, readGroups } from '../../core/document-groups.js';
import type { GroupRules } from '../../core/ports/index-writer.port.js';
import type { Manifest } from './manifest.js';
import { ManifestFault } from './manifest-lines.js';
import { pathMatcher } from './path-matcher.js';

/** The list of a path; null if there is none. */
type FindList = (path: string) => readonly string[] | null;

/** Rules without any list, where there are no settings. They may be lost with the pages of a source. */
export const NO_GROUPS: GroupRules = {
  isUsed: false,
  listsFor: () => [],
  keepsStored: (_, __, staysAsItWas) => staysAsItWas,
};

/** Rules that let nobody see a document, for settings that can't be read. */
export const NOBODY: GroupRules = { isUsed: true, listsFor: () => [[]], keepsStored: () => true };

/** The rules of settings that can be read. */
export const readable = (rules: GroupRules): GroupRules => ({
  ...rules,
  keepsStored: (_, list, staysAsItWas) => staysAsItWas && list.length > 0,
});

/** Documents that a run treats otherwise than the settings say. Some may be added later. */
interface ExceptionalDocuments {
  /** Paths of those that nobody may see. */
  readonly hidden: ReadonlySet<string>;
  /** Prefixes of those that stay as they were, by keys; the settings may be lost too. */
  readonly held: ReadonlyMap<string, unknown>;
}

/** The rules of a run. */
export const withExceptions = (rules: GroupRules, { hidden, held }: ExceptionalDocuments): GroupRules => ({
  ...rules,
  get isUsed() {
    return rules.isUsed || hidden.size > 0;
  },
  listsFor: (path) => [...rules.listsFor(path), ...(hidden.has(path) ? [[]] : [])],
  keepsStored: (path, list) =>
    rules.keepsStored(
      path,
      list,
      [...held.keys()].some((prefix) => path.startsWith(prefix)),
    ),
});

/** Each path is compared with each pattern until one matches. */
const MAX_PATTERNS = 2_000;
const MAX_BYTES = 262_144;

/** `@org/team` as it stands in a CODEOWNERS file names the group `org/team`. */
const groupName = (owner: string): string => owner.replace(/^@/, '');

/**
 * Reads lines of a pattern and groups, as in a CODEOWNERS file: patterns as in .gitignore, the last that matches decides.
 * @throws ManifestFault for a pattern without groups and for forms that CODEOWNERS files don't have
 */
function parseOwners(text: string, file: string): FindList {
  const lines = text
    .normalize('NFC')
    .split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#.*$/, '').trim());
  const entries = lines.flatMap((line, at) => {
    if (line === '') return [];
    const fault = (problem: string): ManifestFault => new ManifestFault(file, at + 1, problem);
    const [pattern = '', ...owners] = line.split(/(?<!\\)\s+/);
    if (/^[!^[]/.test(pattern)) throw fault('a pattern that begins with "!", "^" or "[" has no meaning here');
    if (owners.length === 0) throw fault('name the groups after the pattern; * is everybody');
    const { list, problem } = readGroups(owners.map(groupName));
    if (problem !== null) throw fault(problem);
    return [{ list, patterns: ignore({ ignorecase: false }).add(pattern) }];
  });
  if (entries.length > MAX_PATTERNS) throw new ManifestFault(file, 1, `at most ${MAX_PATTERNS} patterns`);
  return (path) => entries.findLast(({ patterns }) => patterns.ignores(path))?.list ?? null;
}

async function readOwners(folder: string, { allow_file: name }: Manifest): Promise<FindList | null> {
  if (name === undefined) return null;
  const fault = (problem: string): ManifestFault => new ManifestFault(join(folder, name), 1, problem);
  const unreadable = (cause: unknown): never => {
    throw fault(`the file that \`allow_file\` names can't be read (${String(Object(cause).code)})`);
  };
  const file = await realpath(join(folder, name)).catch(unreadable);
  // Someone who writes the settings of a source must not make the indexer read other files.
  if (!file.startsWith((await realpath(folder)) + sep))
    throw fault('the file that `allow_file` names is outside of the folder; copy it into the folder');
  const stats = await stat(file).catch(unreadable);
  // Reading a pipe would wait for its writer.
  if (!stats.isFile()) throw fault('`allow_file` does not name a file');
  if (stats.size > MAX_BYTES)
    throw fault(`the file that \`allow_file\` names has more than ${MAX_BYTES} bytes`);
  return parseOwners(await readFile(file, 'utf8').catch(unreadable), join(folder, name));
}

/** The groups that a manifest gives documents, and the file that it names. @throws ManifestFault */
export async function readGroupRules(folder: string, manifest: Manifest): Promise<GroupRules> {
  const owners = await readOwners(folder, manifest);
  const entries = (manifest.documents ?? []).flatMap(({ match, allow }) =>
    allow === undefined ? [] : [{ matches: pathMatcher(match), list: allow }],
  );
  if (!owners && entries.length === 0) return NO_GROUPS;
  const entered: FindList = (path) => entries.findLast(({ matches }) => matches(path))?.list ?? null;
  return {
    ...NO_GROUPS,
    isUsed: true,
    listsFor: (path) => [entered(path), owners?.(path)].flatMap((list) => (list ? [list] : [])),
  };
}

/**
 * The rules of a source: those of its own settings, and the list of its entry.
 * @param isMissing  true if there is no copy now, and so no settings of its own
 */
export function sourceGroups(
  own: GroupRules,
  allow: readonly string[] | undefined,
  isMissing: boolean,
): GroupRules {
  const entry: GroupLists = allow ? [allow] : [];
  return {
    isUsed: own.isUsed || entry.length > 0 || isMissing,
    listsFor: (path) => [...own.listsFor(path), ...entry],
    keepsStored: (...document) => isMissing || own.keepsStored(...document),
  };
}
