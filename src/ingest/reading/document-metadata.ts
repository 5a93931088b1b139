import type { DocumentProblem } from '../../core/indexed-document.js';
import type { DocumentRules } from '../manifest/corpus-rules.js';
import { keyProblem, plainValue, valueProblem } from './metadata-entry.js';
import type { WrittenFact } from './parsed-document.js';

const MAX_KEYS = 64;
/** Limit for names and values together, in UTF-8 bytes: every hit contains them and must fit into a reply. */
const MAX_BYTES = 4_096;
/** Levels in ascending precedence. */
const ORDER = ['top', 'metadata', 'mcp_metadata'] as const;

/** The metadata of a document, and the entries that were left out. */
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

/** The exceeded limit, in words. */
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
  return {
    metadata: Object.fromEntries(kept),
    problems: problems.sort((a, b) => a.line - b.line),
  };
}
