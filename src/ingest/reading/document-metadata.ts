import type { DocumentProblem } from '../../core/indexed-document.js';
import { withoutInvisible } from '../../text/remove-invisible.js';
import type { SiteRules } from './anchors/site-anchors.js';
import type { AsciidocAttributes, WrittenFact } from './parsed-document.js';

export const KEY = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
/** Invalid metadata names: parameters of `search_docs`, and properties of every JavaScript object and class. */
const RESERVED: ReadonlySet<string> = new Set([
  ...['query', 'limit', 'cursor', 'prototype'],
  ...Object.getOwnPropertyNames(Object.prototype),
]);
export const MAX_VALUE_CHARS = 128;

/** Explains why a metadata name is invalid; null for a valid name. */
export function keyProblem(key: string): string | null {
  if (RESERVED.has(key)) return `"${key}" is reserved; choose another name`;
  if (KEY.test(key)) return null;
  return `"${key.slice(0, 80)}" is not a valid name: use at most 64 letters, digits, "_", "." and "-", starting with a letter`;
}

/** Normalizes a value for comparison and display: white space is collapsed, invisible characters are removed. */
export function plainValue(written: string): string {
  return withoutInvisible(written.toWellFormed())
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
}

/** Explains why a value is invalid; null for a valid value. @param value  from `plainValue`; null for a list or map */
export function valueProblem(key: string, value: string | null): string | null {
  if (value === null) return `"${key}" has a list or a map as its value; a text is expected`;
  if (value.length <= MAX_VALUE_CHARS) return null;
  return `"${key}" has a value of ${value.length} characters; at most ${MAX_VALUE_CHARS} are kept`;
}

const MAX_KEYS = 64;
/** Limit for names and values together, in UTF-8 bytes: every hit contains them and must fit into a reply. */
const MAX_BYTES = 4_096;
/** Levels in ascending precedence. */
const ORDER = ['top', 'metadata', 'mcp_metadata'] as const;

/** Manifest settings for one document. */
export interface DocumentRules {
  readonly docTag: string | undefined;
  readonly repository: string;
  /** Its own address, if its source knows it. What the document says of itself is then not used. */
  readonly url?: string;
  /** True if the repository is not trusted. Then the document can't name another one. */
  readonly isUntrusted?: boolean;
  /** The generator of its site; absent for one that makes anchors like GitHub. */
  readonly site?: SiteRules;
  readonly attributes?: AsciidocAttributes;
  /** Its title in the navigation of the site. */
  readonly label?: string;
  /** Of the branch that it was read from; used if nothing else tells its version. */
  readonly branchVersion?: string;
  /** Metadata of the document; its front matter takes precedence. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Keys that also count as metadata at the top level of front matter. */
  readonly declaredKeys: readonly string[];
}

export interface DocumentMetadata {
  readonly metadata: Readonly<Record<string, string>>;
  /** Sorted by line. */
  readonly problems: readonly DocumentProblem[];
}

const isHolder = (key: string): boolean => key === 'metadata' || key === 'mcp_metadata';

function isMetadata({ below, key }: WrittenFact, rules: DocumentRules): boolean {
  return below !== 'top' || isHolder(key) || rules.declaredKeys.includes(key);
}

function problemOf({ below, key }: WrittenFact, value: string | null): string | null {
  if (below === 'top' && isHolder(key)) return `"${key}" is not a map`;
  return keyProblem(key) ?? valueProblem(key, value);
}

const bytesOf = ([key, value]: readonly [string, string]): number => Buffer.byteLength(key + value);

/** Applies the limits; keys that the manifest declares are kept first. */
function limitEntries(
  found: ReadonlyMap<string, string>,
  rules: DocumentRules,
): (readonly [string, string])[] {
  const entries = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const isDeclared = ([key]: readonly [string, string]): boolean => rules.declaredKeys.includes(key);
  let bytesLeft = MAX_BYTES;
  return [...entries.filter(isDeclared), ...entries.filter((entry) => !isDeclared(entry))]
    .slice(0, MAX_KEYS)
    .filter((entry) => (bytesLeft -= bytesOf(entry)) >= 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function excessOf(found: ReadonlyMap<string, string>): string {
  if (found.size > MAX_KEYS) return `${found.size} keys; at most ${MAX_KEYS} are kept`;
  const bytes = [...found].reduce((sum, entry) => sum + bytesOf(entry), 0);
  return `${bytes} bytes; at most ${MAX_BYTES} are kept`;
}

/** Merges the metadata of the front matter with that of the manifest; the front matter takes precedence. */
export function documentMetadata(written: readonly WrittenFact[], rules: DocumentRules): DocumentMetadata {
  const found = new Map(Object.entries(rules.metadata));
  const problems: DocumentProblem[] = [];
  const entries = written.filter((fact) => isMetadata(fact, rules));
  for (const fact of ORDER.flatMap((below) => entries.filter((other) => other.below === below))) {
    const value = fact.value === null ? null : plainValue(fact.value);
    const problem = problemOf(fact, value);
    if (problem !== null) problems.push({ line: fact.line, reason: `metadata: ${problem}` });
    else if (value) found.set(fact.key, value);
  }
  const kept = limitEntries(found, rules);
  if (kept.length < found.size)
    problems.push({ line: entries.at(-1)?.line ?? 1, reason: `metadata: ${excessOf(found)}` });
  return { metadata: Object.fromEntries(kept), problems: problems.sort((a, b) => a.line - b.line) };
}
