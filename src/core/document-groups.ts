import { createHash } from 'node:crypto';
import { hasNoControl } from '../text/control-characters.js';

/** The group that stands for everybody in a list of a document, and for all groups in those of a caller. */
export const ANY_GROUP = '*';
/** Longest name of a group, in characters. */
export const MAX_GROUP_CHARS = 128;
/** Largest number of groups in one list of a document. */
export const MAX_LIST_GROUPS = 64;
/** Largest number of groups of one caller. */
export const MAX_CALLER_GROUPS = 1_000;

/**
 * Who may see a document: a caller needs a group of each list. Without lists, everybody sees it; with an empty list, only
 * callers with all groups.
 */
export type GroupLists = readonly (readonly string[])[];

/** True if a caller sees a document. @param groups  of the caller; null for all, undefined for none */
export const allowsGroups = (
  lists: GroupLists | undefined,
  groups: readonly string[] | null | undefined,
): boolean => groups === null || (lists ?? []).every((list) => list.some((group) => groups?.includes(group)));

/** True for a text that can be the name of a group. `*` can't: it stands for all groups. */
export const isGroupName = (name: unknown): name is string =>
  typeof name === 'string' && isGroup(name) && name !== ANY_GROUP;

const isGroup = (name: string): boolean =>
  name !== '' && name.length <= MAX_GROUP_CHARS && hasNoControl(name);

/** A list of groups as a document or a file writes it, and the problem in it; with one, the list is empty. */
interface ReadGroups {
  readonly list: readonly string[];
  readonly problem: string | null;
}

/** Reads a text with commas, or a list of texts. Anything else allows nobody: the author wanted a limit. */
export function readGroups(written: unknown): ReadGroups {
  const items: readonly unknown[] = typeof written === 'string' ? written.split(',') : [written].flat();
  const names = items.map((item) =>
    typeof item === 'string' || typeof item === 'number' ? `${item}`.trim() : '',
  );
  const list = [...new Set(names)].sort();
  if (list.length > 0 && list.length <= MAX_LIST_GROUPS && list.every(isGroup))
    return { list, problem: null };
  const problem = `\`allow\` is not a list of at most ${MAX_LIST_GROUPS} names of groups, each of at most ${MAX_GROUP_CHARS} characters; so nobody sees the document but callers with all groups`;
  return { list: [], problem };
}

/** Lists in the form in which equal ones are equal: without those for everybody, each once, sorted. */
export function plainLists(lists: GroupLists): GroupLists {
  const limiting = lists.filter((list) => !list.includes(ANY_GROUP));
  const texts = new Set(limiting.map((list) => JSON.stringify([...new Set(list)].sort())));
  return [...texts].sort().map((text) => JSON.parse(text) as string[]);
}

/** Names the lists of a document in storage; '' for a document that everybody sees. @param lists  from `plainLists` */
export const listsKey = (lists: GroupLists): string => (lists.length === 0 ? '' : JSON.stringify(lists));

/** A short name of a key for engines, since keys can be long; '' for ''. */
export const listsName = (key: string): string =>
  key === '' ? '' : createHash('sha256').update(key).digest('base64url').slice(0, 22);

/** The lists of a key that `listsKey` made. */
export const readListsKey = (key: string): GroupLists => (key === '' ? [] : (JSON.parse(key) as GroupLists));

/**
 * The keys of the documents that a caller sees.
 * @param keys  all keys of the index but ''
 * @returns null if it sees every document
 */
export function visibleKeys(
  keys: readonly string[],
  groups: readonly string[] | null | undefined,
): readonly string[] | null {
  const visible = keys.filter((key) => allowsGroups(readListsKey(key), groups));
  return visible.length === keys.length ? null : ['', ...visible];
}

/** The groups that some documents name, among those of a caller; null for all. They bound what is recorded of a call. */
export function namedGroups(
  keys: readonly string[],
  groups: readonly string[] | null,
): readonly string[] | null {
  if (groups === null) return null;
  const named = new Set(keys.flatMap((key) => readListsKey(key).flat()));
  return [...new Set(groups)].filter((group) => named.has(group)).sort();
}
