import { type Document, isAlias, isMap, isScalar, type Node, type Pair, parse } from 'yaml';

/** Marks of explicit keys in each other; the parser takes exponential time for more. */
const MAX_KEY_MARKS = 20;
const MAX_BRACKETS = 500;

/** True for text with explicit keys in each other, for which the parser takes exponential time. */
export function hasNestedKeys(yaml: string): boolean {
  const inBrackets = yaml.match(/[[{]\s*\?(?=\s)/g) ?? [];
  const margins = new Set(yaml.match(/^[ \t-]*(?=\?\s)/gm));
  if (Math.max(inBrackets.length, margins.size) > MAX_KEY_MARKS) return true;
  const marksIn = (line: string): number => line.match(/(?<![^\s[{,])\?(?=\s|$)/g)?.length ?? 0;
  return yaml.split('\n').some((line) => marksIn(line) > MAX_KEY_MARKS);
}

/** True for text with nesting for which the parser takes seconds or overflows the stack. */
export function isNestedTooDeeply(yaml: string): boolean {
  if (hasNestedKeys(yaml)) return true;
  let depth = 0;
  for (const bracket of yaml.match(/[[\]{}]/g) ?? []) {
    depth = '[{'.includes(bracket) ? depth + 1 : Math.max(0, depth - 1);
    if (depth > MAX_BRACKETS) return true;
  }
  return false;
}

/** Reads a file of settings in YAML. @throws Error if it is nested too deeply */
export function parseSettings(yaml: string): unknown {
  if (isNestedTooDeeply(yaml)) throw new Error('The YAML is nested too deeply.');
  return parse(yaml, { logLevel: 'silent', uniqueKeys: false, maxAliasCount: 100 });
}

/** A key and its value as written; YAML would parse 7.10 as 7.1. */
interface WrittenEntry {
  readonly key: string;
  /** null for a list or map. */
  readonly value: string | null;
  /** Offset of the key in the YAML. */
  readonly offset: number;
}

type AnyDocument = Document<Node, boolean>;

export function resolved(document: AnyDocument, node: unknown): unknown {
  return isAlias(node) ? node.resolve(document) : node;
}

/** The text of a scalar as written; null for anything else. */
export function writtenText(node: unknown): string | null {
  if (!isScalar(node)) return null;
  const { value, source } = node;
  return typeof value === 'string' ? value : (source ?? String(value));
}

export function offsetOfNode(node: unknown): number {
  const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : null;
  return Array.isArray(range) ? Number(range[0]) : 0;
}

/** The pairs of a map; empty if the node is not a map. */
export function pairsOf(document: AnyDocument, node: unknown): readonly Pair[] {
  const map = resolved(document, node);
  return isMap(map) ? map.items : [];
}

/** The value of a key; undefined if the map doesn't have it. */
export function valueAt(document: AnyDocument, node: unknown, key: string): unknown {
  return pairsOf(document, node).find((pair) => writtenText(pair.key) === key)?.value;
}

/** The entries of a map that have a value. */
export function writtenEntries(document: AnyDocument, node: unknown): WrittenEntry[] {
  return pairsOf(document, node).flatMap((pair) => {
    const value = resolved(document, pair.value);
    if (value === null || value === undefined || (isScalar(value) && value.value === null)) return [];
    const key = writtenText(pair.key) ?? '';
    return [{ key, value: writtenText(value), offset: offsetOfNode(pair.key) }];
  });
}

/** Replaces the keys and scalar values of a map by their source text. @param only  the keys whose values are; default: all */
export function keepAsWritten(document: AnyDocument, node: unknown, only?: readonly string[]): void {
  for (const { key, value } of pairsOf(document, node)) {
    if (only?.includes(writtenText(key) ?? '') === false) continue;
    for (const scalar of [key, resolved(document, value)]) {
      const text = writtenText(scalar);
      if (isScalar(scalar) && scalar.value !== null && text !== null) scalar.value = text;
    }
  }
}
