import { createHash } from 'node:crypto';
import type { MemoryTable } from '../../core/ports/memory-store.port.js';

const PREFIX: Readonly<Record<MemoryTable, string>> = {
  thoughts: 't:',
  kg_entities: 'e:',
  kg_observations: 'o:',
};

/** An id with the prefix of its table; one that has it stays as it is. */
export function prefixedId(table: MemoryTable, id: string): string {
  return id.startsWith(PREFIX[table]) ? id : PREFIX[table] + id;
}

/** The id of what has none: the same words give the same one. 144 bits of SHA-256. */
export function derivedId(table: MemoryTable, ...words: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify([table, ...words]));
  return PREFIX[table] + hash.digest('base64url').slice(0, 24);
}
