import type { CollapseRules, StoredSection } from '../../core/ports/section-index.port.js';
import { type DocumentFacts, UNRELEASED, VERSION_KEY, VERSION_STATE_KEY } from '../../core/section.js';
import { pagePath } from '../../core/section-id.js';
import {
  isNewerVersion,
  isUnreleasedName,
  isVersionName,
  type NamedVersion,
  namesVersion,
  plainVersion,
} from '../../text/version-name.js';

/** Share of common words from which two sections are variants. */
const SAME_FROM = 0.9;
/** Shorter texts must have all words in common, because one word can make another statement. */
const FEWEST_WORDS = 20;

/** Share of the shorter text's words that the longer one must contain, for versions of one section. */
const ALIKE_FROM = 0.6;

/** The properties by which two sections are compared. */
export class ComparedText {
  private found: ReadonlySet<string> | null = null;

  constructor(
    readonly title: string,
    private readonly text: string,
  ) {}

  /** Made on first use, because few sections share a title or place with another. */
  get words(): ReadonlySet<string> {
    this.found ??= new Set(this.text.toLowerCase().match(/\S+/g));
    return this.found;
  }
}

function countCommon(smaller: ReadonlySet<string>, larger: ReadonlySet<string>): number {
  let common = 0;
  for (const word of smaller) if (larger.has(word)) common++;
  return common;
}

/** True if two texts at the same position of two versions are nearly the same. */
export function isMuchAlike(a: ComparedText, b: ComparedText): boolean {
  const [smaller, larger] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words];
  return countCommon(smaller, larger) >= smaller.size * ALIKE_FROM;
}

/** True if two sections are variants: the same title, and 90 % of their distinct words in common (Jaccard). */
export function isNearDuplicate(a: ComparedText, b: ComparedText): boolean {
  if (a.title !== b.title) return false;
  const [smaller, larger] = a.words.size <= b.words.size ? [a.words, b.words] : [b.words, a.words];
  if (smaller.size < larger.size * SAME_FROM) return false;
  const common = countCommon(smaller, larger);
  const needed = smaller.size < FEWEST_WORDS ? 1 : SAME_FROM;
  return common >= (smaller.size + larger.size - common) * needed;
}

interface Shown {
  readonly stored: StoredSection;
  readonly document: DocumentFacts;
  readonly segments: readonly string[];
  readonly text: ComparedText;
}

/** Docusaurus keeps the next version in `docs`, and the others in `versioned_docs/version-2.0`, both or these in `website`. */
const DOCUSAURUS = /(?<=^|\/)(?:(?:website\/)?(?:[\w-]+_)?versioned_docs\/(?=version-)|website\/(?=docs\/))/g;

/** The segments of a path. A folder of versions of Docusaurus stands where that of the next version is. */
const splitPath = (path: string): readonly string[] => path.replace(DOCUSAURUS, '').split('/');

/** True for the folders `7.5`, `v7.5`, `version-7.5` and `version_7.5` if the key is `version` and the value `7.5`. */
function namesSegment(segment: string, key: string, value: string): boolean {
  const [asWritten, wanted] = [segment.toLowerCase(), value.toLowerCase()];
  const prefixes = ['', 'v', `${key.toLowerCase()}-`, `${key.toLowerCase()}_`];
  return prefixes.some((prefix) => asWritten === prefix + wanted);
}

/** The keys whose values are the names of two different segments. */
function keysOfSegment(place: number, a: Shown, b: Shown): string[] {
  const [own, other] = [a.segments[place] ?? '', b.segments[place] ?? ''];
  return Object.entries(a.document.metadata).flatMap(([key, value]) => {
    const theirs = b.document.metadata[key];
    const named = [namesSegment(own, key, value), theirs !== undefined && namesSegment(other, key, theirs)];
    const isNext = key === VERSION_KEY && theirs !== value && isNextFolder(a, b);
    return named.every(Boolean) || (theirs !== undefined && named.some(Boolean) && isNext) ? [key] : [];
  });
}

/** True if one page is in the folder of the next version of Docusaurus, whose name is no version, and the other in an older one. */
const isNextFolder = (a: Shown, b: Shown): boolean =>
  a.document.path.split('/').length !== b.document.path.split('/').length;

function differingKeys(a: DocumentFacts, b: DocumentFacts): string[] {
  const keys = new Set([...Object.keys(a.metadata), ...Object.keys(b.metadata)]);
  return [...keys].filter((key) => a.metadata[key] !== b.metadata[key]);
}

/** The keys by which two paths differ, segment by segment; null if they differ in anything else. */
function keysOfPaths(a: Shown, b: Shown): ReadonlySet<string> | null {
  const keys = new Set<string>();
  for (const place of a.segments.keys()) {
    if (a.segments[place] === b.segments[place]) continue;
    const own = keysOfSegment(place, a, b);
    if (own.length === 0) return null;
    for (const key of own) keys.add(key);
  }
  return keys.size > 0 ? keys : null;
}

interface VersionChoice {
  readonly question: string;
  /** Undefined for the newest. */
  readonly current: string | undefined;
}

/** The names of the folders by which two ids differ; null if they differ in more or in anything else. */
function differingFolders(id: string, other: string): readonly [string, string] | null {
  const [own = [], theirs = []] = [id, other].map((each) => splitPath(pagePath(each)));
  const differing = own.flatMap((segment, at) => (segment === theirs[at] ? [] : [at]));
  const [at = -1] = differing;
  const isSame = placeWithin(id) === placeWithin(other) && own.length === theirs.length;
  if (!isSame || differing.length !== 1 || at === own.length - 1) return null;
  return [own[at] ?? '', theirs[at] ?? ''];
}

/** The version of a page; without metadata, the folder's name. */
const versionIn = ({ metadata }: DocumentFacts, folder: string): NamedVersion => ({
  name: plainVersion(metadata[VERSION_KEY] ?? folder),
  isUnreleased: metadata[VERSION_STATE_KEY] === UNRELEASED,
});

/** False if the id alone tells that its section can't stand for one that was read. */
export function mayStandFor(id: string, shown: StoredSection, { current }: VersionChoice): boolean {
  const folders = differingFolders(id, shown.section.id);
  if (!folders || current !== undefined) return folders !== null;
  const [own, theirs] = folders;
  const { name, isUnreleased = false } = versionIn(shown.document, theirs);
  // An older version can be the released one.
  if (isUnreleased || isUnreleasedName(name)) return true;
  return !isVersionName(own) || !isVersionName(theirs) || isNewerVersion({ name: own }, { name: theirs });
}

/**
 * True if two sections have the same place in two versions, and the first is the newer or the current one. False if the
 * question names the other version. Versions are in the metadata, else the names of the folders.
 */
export function standsFor(one: StoredSection, other: StoredSection, choice: VersionChoice): boolean {
  const folders = differingFolders(one.section.id, other.section.id);
  if (!folders) return false;
  const [version, shown] = [versionIn(one.document, folders[0]), versionIn(other.document, folders[1])];
  if (!isVersionName(version.name) || !isVersionName(shown.name)) return false;
  if (namesVersion(choice.question, shown.name)) return false;
  const current = choice.current === undefined ? undefined : plainVersion(choice.current);
  if (current === version.name || current === shown.name) return current === version.name;
  return isNewerVersion(version, shown);
}

/** The part of a section's id after the path. The start of a document always has the same one. */
function placeWithin(sectionId: string): string {
  // In the path, `#` is encoded.
  const at = sectionId.indexOf('#');
  return at < 0 ? '#_preamble' : sectionId.slice(at);
}

/**
 * Finds repetitions of better-ranked sections: variants of one text, and the same section under another value of a key,
 * such as another version. The manifest's `collapse` decides per key; without it, the texts must be similar.
 */
export class Repetitions {
  private readonly shown: Shown[] = [];
  /** Sections by depth, file name and position within the file: only these can be the same section. */
  private readonly byPlace = new Map<string, Shown[]>();

  /** @param withVariants  true if variants of one text count too, wherever they are */
  constructor(
    private readonly rules: CollapseRules,
    private readonly withVariants: boolean,
  ) {}

  /** The shown section that this one repeats. Null if there is none; then this one counts as shown. */
  shownFor(stored: StoredSection): StoredSection | null {
    const { section, document } = stored;
    const segments = splitPath(document.path);
    const one: Shown = { stored, document, segments, text: new ComparedText(section.title, section.text) };
    // The name of a file has no `/`.
    const key = `${segments.length}/${segments.at(-1)}/${placeWithin(section.id)}`;
    const candidates = this.byPlace.get(key) ?? [];
    const repeated =
      candidates.find((other) => this.isSameElsewhere(one, other)) ??
      (this.withVariants ? this.shown.find((other) => this.isVariant(one, other)) : undefined);
    if (repeated) return repeated.stored;
    this.shown.push(one);
    this.byPlace.set(key, [...candidates, one]);
    return null;
  }

  private collapses(key: string): boolean | null {
    return Object.hasOwn(this.rules, key) ? (this.rules[key] ?? null) : null;
  }

  /** True if they differ in a key that never collapses. */
  private isKeptApart(a: Shown, b: Shown): boolean {
    return differingKeys(a.document, b.document).some((key) => this.collapses(key) === false);
  }

  private isVariant(a: Shown, b: Shown): boolean {
    return isNearDuplicate(b.text, a.text) && !this.isKeptApart(a, b);
  }

  private isSameElsewhere(a: Shown, b: Shown): boolean {
    const keys = keysOfPaths(a, b);
    if (!keys || this.isKeptApart(a, b)) return false;
    return [...keys].every((key) => this.collapses(key) === true) || isMuchAlike(a.text, b.text);
  }
}
