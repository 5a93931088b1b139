import type { DocumentRules } from './corpus-rules.js';
import type { DocumentProblem } from './index-writer.port.js';
import { keyProblem, plainValue, valueProblem } from './metadata-entry.js';
import type { WrittenFact } from './parsed-document.js';

const MAX_KEYS = 64;
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
  if (below === 'top' && isHolder(key)) return `"${key}" is no map`;
  return keyProblem(key) ?? valueProblem(key, value);
}

/** Keys that the manifest declares come first where there are too many. */
function limitKeys(found: ReadonlyMap<string, string>, rules: DocumentRules): readonly string[] {
  const keys = [...found.keys()].sort();
  const isDeclared = (key: string): boolean => rules.declaredKeys.includes(key);
  return [...keys.filter(isDeclared), ...keys.filter((key) => !isDeclared(key))].slice(0, MAX_KEYS).sort();
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
  const kept = limitKeys(found, rules);
  if (kept.length < found.size) {
    const reason = `metadata: ${found.size} keys; ${MAX_KEYS} are kept at most`;
    problems.push({ line: meant.at(-1)?.line ?? 1, reason });
  }
  return {
    metadata: Object.fromEntries(kept.map((key) => [key, found.get(key) ?? ''])),
    problems: problems.sort((a, b) => a.line - b.line),
  };
}
