import type { DocumentRules } from '../manifest/corpus-rules.js';
import type { DocumentProblem } from '../../core/indexed-document.js';
import { keyProblem, plainValue, valueProblem } from './metadata-entry.js';
import type { WrittenFact } from './parsed-document.js';

const MAX_KEYS = 64;
/** Of names and values together, in UTF-8: every hit shows all of them and must fit into a reply. */
const MAX_BYTES = 4_096;
/** Later ones win. */
const ORDER = ['top', 'metadata', 'mcp_metadata'] as const;

/** What a document can be told apart by, and what of it had to be left out. */
export interface DocumentMetadata {
  readonly metadata: Readonly<Record<string, string>>;
  /** By line. */
  readonly problems: readonly DocumentProblem[];
}

const isHolder = (key: string): boolean => key === 'metadata' || key === 'mcp_metadata';

function isMeant({ below, key }: WrittenFact, rules: DocumentRules): boolean {
  return below !== 'top' || isHolder(key) || rules.declaredKeys.includes(key);
}

function problemOf({ below, key }: WrittenFact, value: string | null): string | null {
  if (below === 'top' && isHolder(key)) return `"${key}" is not a map`;
  return keyProblem(key) ?? valueProblem(key, value);
}

const bytesOf = ([key, value]: readonly [string, string]): number => Buffer.byteLength(key + value);

/** Keys that the manifest declares come first where there is too much. */
function limitEntries(
  found: ReadonlyMap<string, string>,
  rules: DocumentRules,
): (readonly [string, string])[] {
  const entries = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const isDeclared = ([key]: readonly [string, string]): boolean => rules.declaredKeys.includes(key);
  let room = MAX_BYTES;
  return [...entries.filter(isDeclared), ...entries.filter((entry) => !isDeclared(entry))]
    .slice(0, MAX_KEYS)
    .filter((entry) => (room -= bytesOf(entry)) >= 0)
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

/** What of it is too much, in words. */
function excessOf(found: ReadonlyMap<string, string>): string {
  if (found.size > MAX_KEYS) return `${found.size} keys; at most ${MAX_KEYS} are kept`;
  const bytes = [...found].reduce((sum, entry) => sum + bytesOf(entry), 0);
  return `${bytes} bytes; at most ${MAX_BYTES} are kept`;
}

/** Settles a document's metadata: its front matter first, then what the manifest says. */
export function documentMetadata(written: readonly WrittenFact[], rules: DocumentRules): DocumentMetadata {
  const found = new Map(Object.entries(rules.metadata));
  const problems: DocumentProblem[] = [];
  const meant = written.filter((fact) => isMeant(fact, rules));
  for (const fact of ORDER.flatMap((below) => meant.filter((other) => other.below === below))) {
    const value = fact.value === null ? null : plainValue(fact.value);
    const problem = problemOf(fact, value);
    if (problem !== null) problems.push({ line: fact.line, reason: `metadata: ${problem}` });
    else if (value) found.set(fact.key, value);
  }
  const kept = limitEntries(found, rules);
  if (kept.length < found.size)
    problems.push({ line: meant.at(-1)?.line ?? 1, reason: `metadata: ${excessOf(found)}` });
  return {
    metadata: Object.fromEntries(kept),
    problems: problems.sort((a, b) => a.line - b.line),
  };
}
