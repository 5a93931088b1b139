import { z } from 'zod';
import type { KeptPassage, Passage, ScratchOwner } from '../../core/ports/scratch-store.port.js';
import { ENVELOPE_BYTES } from './key-ring.js';
import type { KeyRing } from './key-ring.js';

/** A time of creation, as ISO-8601 in UTC to the millisecond. */
const BORN_CHARS = 24;

/** How long the first envelope of a record is. */
export const BORN_BYTES = ENVELOPE_BYTES + BORN_CHARS;

/** Whose a record is, and where it stands. */
export interface Place {
  readonly owner: ScratchOwner;
  /** Its name in Redis. */
  readonly name: string;
}

const span = z.object({ start: z.number(), end: z.number() });

const keptSchema = z.object({
  id: z.string(),
  passage: z.object({
    sectionId: z.string(),
    docTag: z.string(),
    repository: z.string(),
    projectId: z.string(),
    environment: z.string(),
    headingPath: z.array(z.string()),
    title: z.string(),
    text: z.string(),
    sourceUri: z.string(),
    url: z.string().nullable(),
    updatedAt: z.string(),
    createdAt: z.string(),
    sizeBytes: z.number(),
    window: span,
  }) satisfies z.ZodType<Passage>,
});

function bound(part: string, { owner, name }: Place): string {
  const { projectId, environment, sessionId } = owner;
  return JSON.stringify(['pith scratch', part, projectId, environment, sessionId, name]);
}

/**
 * Writes a passage as it stands in Redis: two envelopes, of which the first, of a fixed length, holds nothing but the
 * time of creation, so that Redis can keep that of a passage that is put again without reading it.
 */
export function sealPassage(keys: KeyRing, place: Place, kept: KeptPassage): Buffer {
  const born = new Date(kept.passage.createdAt).toISOString();
  return Buffer.concat([
    keys.seal(Buffer.from(born), bound('born', place)),
    keys.seal(Buffer.from(JSON.stringify(kept)), bound('passage', place)),
  ]);
}

function parsed(json: Buffer): KeptPassage | null {
  // Sealed by us, but maybe by a version that knew other fields.
  return keptSchema.safeParse(JSON.parse(json.toString('utf8'))).data ?? null;
}

/** Returns null for a record that no key of ours has sealed for this place, or whose shape we don't know. */
export function openPassage(keys: KeyRing, place: Place, record: Buffer): KeptPassage | null {
  const born = keys.open(record.subarray(0, BORN_BYTES), bound('born', place));
  const json = keys.open(record.subarray(BORN_BYTES), bound('passage', place));
  const kept = born && json ? parsed(json) : null;
  if (!kept || !born) return null;
  return { id: kept.id, passage: { ...kept.passage, createdAt: born.toString('latin1') } };
}
