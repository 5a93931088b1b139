import { createHash } from 'node:crypto';
import type { MemoryTable } from '../../core/ports/memory-store.port.js';

const PREFIX: Readonly<Record<MemoryTable, string>> = {
  thoughts: 't:',
  kg_entities: 'e:',
  kg_observations: 'o:',
};

/** Adds the table's prefix to an id that does not have it. */
export function prefixedId(table: MemoryTable, id: string): string {
  return id.startsWith(PREFIX[table]) ? id : PREFIX[table] + id;
}

/** A deterministic id for a row without one: 144 bits of the SHA-256 of its words. */
export function derivedId(table: MemoryTable, ...words: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([table, ...words]));
  return PREFIX[table] + hash.digest('base64url').slice(0, 24);
}
