import { createHash } from 'node:crypto';

/** The two collections of an index: one is read, the other is written. */
export const SLOTS = ['a', 'b'] as const;

/** One of them. */
export type Slot = (typeof SLOTS)[number];

/** Qdrant takes 255 bytes; what is longer is hashed. */
const LONGEST = 200;

function encodeName(name: string): string {
  const bytes = [...Buffer.from(name, 'utf8')];
  const encoded = bytes
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[a-z0-9-]/.test(character) ? character : `.${byte.toString(16).padStart(2, '0')}`;
    })
    .join('');
  if (encoded.length * 2 <= LONGEST) return encoded;
  return `.sha256-${createHash('sha256').update(name).digest('hex')}`;
}

/**
 * What readers ask: one name for each project and environment, and never one for two. Names may be any text; capitals
 * are encoded, too, since collections are folders, and some disks don't tell them apart.
 */
export function aliasOf(projectId: string, environment: string): string {
  return `pith_${encodeName(projectId)}_${encodeName(environment)}`;
}

/** One of the two collections behind an alias. */
export function collectionOf(alias: string, slot: Slot): string {
  return `${alias}_${slot}`;
}

/** A point's id: the same for the same thing, whatever the collection. */
export function pointId(kind: 'section' | 'document' | 'blob' | 'stamp', key: string): string {
  const hex = createHash('sha256').update(`${kind} ${key}`).digest('hex');
  // Version 8 of RFC 9562: bits of our own.
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}

/** The point that tells what a collection holds. */
export const STAMP_ID = pointId('stamp', '');
