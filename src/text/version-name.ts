/** A version with its numbers: `2.21`, `v3`, `version-7.5`, `4.0.x`, `5.0-rc1`. */
const NUMBERED =
  /^(?:v|r|version[-_. ]?v?|release[-_. ]?v?)?(\d{1,4}(?:\.\d{1,6}){0,3})(?:\.x)?(?:[-_.]?(alpha|beta|rc|pre|preview|dev|snapshot)[-_.]?\d{0,4})?$/i;
/** Names of the newest version that is released. */
const CURRENT = /^(?:latest|stable|current|lts)$/i;
/** Names of a version that is not released yet. */
const UNRELEASED =
  /^(?:next|edge|nightly|canary|unreleased|development|devel|dev|snapshot|main|master|trunk)$/i;

/** The place of a version among others, compared number by number. Unreleased < numbered < current. */
function readOrder(name: string): readonly number[] | null {
  const plain = plainVersion(name);
  if (CURRENT.test(plain)) return [Infinity];
  if (UNRELEASED.test(plain)) return [-1];
  const [, numbers, isEarly] = NUMBERED.exec(name) ?? [];
  if (numbers === undefined) return null;
  // A release comes after its previews, and has at most four numbers.
  const padded = [...numbers.split('.').map(Number), 0, 0, 0].slice(0, 4);
  return [...padded, isEarly === undefined ? 1 : 0];
}

/** True for the name of a version, such as that of a folder or a branch: `2.21`, `v3`, `version-7.5`, `latest`, `version-next`. */
export function isVersionName(name: string): boolean {
  return readOrder(name) !== null;
}

/** True for a name that can't be anything but a version: a plain number can be a chapter or a year. */
export function isSurelyVersion(name: string): boolean {
  return NUMBERED.test(name) && !/^\d+$/.test(name);
}

/** True if both names are versions and the first is the newer one. */
export function isNewerVersion(a: string, b: string): boolean {
  const [own, other] = [readOrder(a), readOrder(b)];
  if (!own || !other) return false;
  const at = own.findIndex((number, i) => number !== (other[i] ?? 0));
  return at >= 0 && (own[at] ?? 0) > (other[at] ?? 0);
}

/** A version as people write it: without `version-` before it or `v` before its number. */
export const plainVersion = (name: string): string =>
  name.replace(/^version[-_. ]/i, '').replace(/^(?:version|v)(?=\d)/i, '');

/** True if a text names a version, such as "in 7.4?" the folder `v7.4`. */
export function namesVersion(text: string, name: string): boolean {
  const [lower, version] = [text.toLowerCase(), plainVersion(name).toLowerCase()];
  for (let at = lower.indexOf(version); at >= 0 && version !== ''; at = lower.indexOf(version, at + 1)) {
    const before = lower.slice(Math.max(0, at - 2), at).replace(/v$/, '');
    const after = lower.slice(at + version.length, at + version.length + 2);
    if (!/[.\p{L}\p{N}_]$/u.test(before) && !/^(?:[\p{L}\p{N}_]|\.\d)/u.test(after)) return true;
  }
  return false;
}
