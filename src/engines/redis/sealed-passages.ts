import type { KeptPassage, ScratchOwner } from '../../core/ports/scratch-store.port.js';
import { readKept } from '../scratch-records.js';
import { ENVELOPE_BYTES, type KeyRing } from './key-ring.js';

/** Length of a creation time: ISO-8601 in UTC, to the millisecond. */
const BORN_CHARS = 24;

/** Length of the first envelope of a record. */
export const BORN_BYTES = ENVELOPE_BYTES + BORN_CHARS;

/** The owner and name of a record. */
export interface PassagePlace {
  readonly owner: ScratchOwner;
  /** Its name in Redis. */
  readonly name: string;
}

function bound(part: string, { owner, name }: PassagePlace): string {
  const { projectId, environment, sessionId } = owner;
  return JSON.stringify(['pith scratch', part, projectId, environment, sessionId, name]);
}

/**
 * Encrypts a passage as two envelopes. The first has a fixed length and contains only the creation time. When a passage
 * is put again, Redis keeps this envelope, and so the creation time, without decrypting it.
 */
export function sealPassage(keys: KeyRing, place: PassagePlace, kept: KeptPassage): Buffer {
  const born = new Date(kept.passage.createdAt).toISOString();
  return Buffer.concat([
    keys.seal(Buffer.from(born), bound('born', place)),
    keys.seal(Buffer.from(JSON.stringify(kept)), bound('passage', place)),
  ]);
}

/** Decrypts a passage. @returns null if no key opens it for this owner and name, or if its format is unknown */
export function openPassage(keys: KeyRing, place: PassagePlace, record: Buffer): KeptPassage | null {
  const born = keys.open(record.subarray(0, BORN_BYTES), bound('born', place));
  const json = keys.open(record.subarray(BORN_BYTES), bound('passage', place));
  if (!born || !json) return null;
  return readKept(json.toString('utf8'), born.toString('latin1'));
}
