/** Names of stages before a release, in the order of SemVer and PEP 440: `-rc.1`, `.M2`, `b3`, `-SNAPSHOT`; also a draft. */
const EARLY =
  '[ab](?=\\d)|alpha|beta|m(?=\\d)|milestone|c(?=\\d)|rc|cr|pre-?release|pre|preview|draft|next|dev|devel|snapshot|nightly|canary|' +
  'edge|insiders?|unstable|unreleased|wip|ea|main|master|head';
/** Words for a release after its number. */
const RELEASE = 'final|ga|release|lts|stable|sp\\d{1,2}|post\\d{0,3}';
/** A version with its numbers: `2.21`, `v3`, `version-7.5`, `4.0.x`, `5.0-rc1`, `3.8 (draft)`, `2.0.0.M3`, `5.3.Final`. */
const NUMBERED = new RegExp(
  `^(?:v|r|version[-_. ]?v?|release[-_. ]?v?)?(\\d{1,4}(?:\\.\\d{1,6}){0,3})(?:\\.x)?` +
    `(?:[-_. ]?\\(?(${EARLY})[-_.]?(\\d{0,8})(?:[-_.]\\d{1,6}){0,2}\\)?|[-_. ](?:${RELEASE}))?(?:\\+[\\w.-]{1,40})?$`,
  'i',
);
/** Names of the newest version that is released, from the least sure. On Read the Docs, `latest` is a branch, `stable` a release. */
const CURRENT = [/^lts$/i, /^latest$/i, /^(?:stable|current)$/i];
/** Names of a version that is not released yet. */
const UNRELEASED =
  /^(?:(?:latest|current)[-_.]?)?(?:next|edge|nightly|canary|unreleased|unstable|development|devel|develop|dev|snapshot|draft|preview|pre-?release|alpha|beta|rc|insiders?|upcoming|main|master|trunk|head|tip)(?:[-_.](?:version|release|branch|docs))?$/i;
/** Stages before a release. Others, such as nightly builds, come before them. */
const STAGES = [/^a(?:lpha)?$/i, /^(?:b(?:eta)?|m|milestone)$/i, /^(?:preview|c|rc|cr)$/i];

/** A version with what the settings of its site say about it. */
export interface NamedVersion {
  readonly name: string;
  /** True if it is not released, whatever its name says. */
  readonly isUnreleased?: boolean;
}

/**
 * The place of a version among others, compared number by number: 1 for a release, then the group (names without numbers),
 * four numbers, the stage before the release and its number. So no draft is newer than a release.
 */
function readOrder({ name, isUnreleased = false }: NamedVersion): readonly number[] | null {
  const plain = plainVersion(name);
  const current = CURRENT.findIndex((pattern) => pattern.test(plain));
  if (current >= 0) return [isUnreleased ? 0 : 1, current + 2];
  if (UNRELEASED.test(plain)) return [0, 0];
  const [, numbers, early, build] = NUMBERED.exec(name) ?? [];
  if (numbers === undefined) return null;
  const padded = [...numbers.split('.').map(Number), 0, 0, 0].slice(0, 4);
  if (early === undefined) return [isUnreleased ? 0 : 1, 1, ...padded, STAGES.length + 1];
  return [0, 1, ...padded, STAGES.findIndex((pattern) => pattern.test(early)) + 1, Number(build)];
}

/** True for the name of a version, such as that of a folder or a branch: `2.21`, `v3`, `version-7.5`, `latest`, `version-next`. */
export function isVersionName(name: string): boolean {
  return readOrder({ name }) !== null;
}

/** True for a name that can't be anything but a version: a plain number can be a chapter or a year. */
export function isSurelyVersion(name: string): boolean {
  return NUMBERED.test(name) && !/^\d+$/.test(name);
}

/** True for a version that is not released, as far as its name tells: `next`, `main`, `3.8-draft`, `4.0-rc1`. */
export const isUnreleasedName = (name: string): boolean => readOrder({ name })?.[0] === 0;

/** True if both are versions and the first is the newer one. A release is newer than all that is not released. */
export function isNewerVersion(a: NamedVersion, b: NamedVersion): boolean {
  const [own, other] = [readOrder(a), readOrder(b)];
  if (!own || !other) return false;
  const at = own.findIndex((number, i) => number !== (other[i] ?? 0));
  return at >= 0 && (own[at] ?? 0) > (other[at] ?? 0);
}

/** Orders names of versions, the newest first; other names follow by code point. */
export function byNewestVersion(a: string, b: string): number {
  if (isNewerVersion({ name: a }, { name: b })) return -1;
  if (isNewerVersion({ name: b }, { name: a })) return 1;
  return Number(isVersionName(b)) - Number(isVersionName(a)) || (a < b ? -1 : 1);
}

/** A version as people write it: without `version-` before it or `v` before its number. */
export const plainVersion = (name: string): string =>
  name.replace(/^version[-_. ]/i, '').replace(/^(?:version|v)(?=\d)/i, '');

/** What makes an everyday word, such as "next", the name of a version: "the next release", "in next?". */
const isMeant = (before: string, after: string): boolean =>
  /^`?[ -](?:version|release|branch|docs|documentation|channel|build|line)s?\b/.test(after) ||
  (/\b(?:in|on|of|for|from|to|version|branch) `?$/.test(before) && /^`?(?:[?.,;:!)]|$)/.test(after));

/** True if a text names a version, such as "in 7.4?" the folder `v7.4`. */
export function namesVersion(text: string, name: string): boolean {
  const [lower, version] = [text.toLowerCase(), plainVersion(name).toLowerCase()];
  const isWord = UNRELEASED.test(version);
  for (let at = lower.indexOf(version); at >= 0 && version !== ''; at = lower.indexOf(version, at + 1)) {
    const end = at + version.length;
    const before = lower.slice(Math.max(0, at - 2), at).replace(/v$/, '');
    const after = lower.slice(end, end + 2);
    const isName = !/[.\p{L}\p{N}_]$/u.test(before) && !/^(?:[\p{L}\p{N}_]|\.\d)/u.test(after);
    if (isName && (!isWord || isMeant(lower.slice(Math.max(0, at - 20), at), lower.slice(end, end + 20))))
      return true;
  }
  return false;
}
