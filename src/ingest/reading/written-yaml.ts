import { type Document, isAlias, isMap, isScalar, type Node, type Pair } from 'yaml';

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

/** Replaces the keys and scalar values of a map by their source text. */
export function keepAsWritten(document: AnyDocument, node: unknown): void {
  for (const { key, value } of pairsOf(document, node)) {
    for (const scalar of [key, resolved(document, value)]) {
      const text = writtenText(scalar);
      if (isScalar(scalar) && scalar.value !== null && text !== null) scalar.value = text;
    }
  }
}
