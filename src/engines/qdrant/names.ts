import { createHash } from 'node:crypto';

/** The two collections of an index: one is read, the other is written. */
export const SLOTS = ['a', 'b'] as const;

export type Slot = (typeof SLOTS)[number];

/** Length limit of an encoded name; longer names are hashed. Qdrant accepts 255 bytes. */
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
 * The alias that readers use, unique for each project and environment. Names may be any text. Capitals are encoded,
 * because collections are folders and some file systems ignore case.
 */
export function aliasOf(projectId: string, environment: string): string {
  return `pith_${encodeName(projectId)}_${encodeName(environment)}`;
}

/** One of the two collections behind an alias. */
export function collectionOf(alias: string, slot: Slot): string {
  return `${alias}_${slot}`;
}

/** The id of a point, the same in every collection. */
export function pointId(kind: 'section' | 'document' | 'blob' | 'stamp', key: string): string {
  const hex = createHash('sha256').update(`${kind} ${key}`).digest('hex');
  // A UUID of version 8 (RFC 9562): the other bits are free.
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}

/** The point that stores the stamp of a collection. */
export const STAMP_ID = pointId('stamp', '');
