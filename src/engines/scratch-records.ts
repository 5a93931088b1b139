import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { z } from 'zod';
import type {
  KeptPassage,
  Passage,
  ScratchCounters,
  ScratchOwner,
} from '../core/ports/scratch-store.port.js';

const NAME_BYTES = 16;

/** Length of a session or passage name: 128 bits in base64url. */
export const NAME_CHARS = 22;

const clip = (digest: Buffer): string => digest.subarray(0, NAME_BYTES).toString('base64url');

/**
 * Names of owners and passages in a store that replicas share. They are HMACs under the server's secret, so they reveal
 * nothing about sessions and passages. They don't depend on the encryption key, so passages are found after key rotation.
 */
export class ScratchNames {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'pith scratch names', 32));
  }

  /**
   * The name of a project and environment, which share a byte limit, even for servers with different secrets. The
   * braces keep all keys on one node of a Redis cluster.
   */
  space({ projectId, environment }: ScratchOwner): string {
    const digest = createHash('sha256').update(JSON.stringify(['pith scratch', projectId, environment]));
    return `pith:scratch:{${clip(digest.digest())}}`;
  }

  session(owner: ScratchOwner): string {
    return this.name('session', owner);
  }

  /** Starts with the session's name, so that a script that removes a passage can find its session's list. */
  passage(owner: ScratchOwner, id: string): string {
    return `${this.session(owner)}.${this.name('passage', owner, id)}`;
  }

  private name(kind: string, { projectId, environment, sessionId }: ScratchOwner, id = ''): string {
    const text = JSON.stringify([kind, projectId, environment, sessionId, id]);
    return clip(createHmac('sha256', this.key).update(text).digest());
  }
}

const keptSchema = z.object({
  id: z.string(),
  passage: z.object({
    provider: z.string().optional(),
    sectionId: z.string(),
    docTag: z.string(),
    repository: z.string(),
    projectId: z.string(),
    environment: z.string(),
    headingPath: z.array(z.string()),
    title: z.string(),
    text: z.string(),
    structure: z.string(),
    sourceUri: z.string(),
    url: z.string().nullable(),
    updatedAt: z.string(),
    createdAt: z.string(),
    sizeBytes: z.number(),
    window: z.object({ start: z.number(), end: z.number() }),
    removed: z.number().exactOptional(),
    isUntrusted: z.boolean().exactOptional(),
    artifact: z.string().exactOptional(),
    corpus: z.string().exactOptional(),
    allow: z.array(z.array(z.string())).exactOptional(),
  }) satisfies z.ZodType<Passage>,
});

/**
 * Reads a passage from its JSON, which a server stored.
 * @param createdAt  when it was first stored
 * @returns null if its format is unknown: another version of Pith may have written other fields
 */
export function readKept(json: string, createdAt: string): KeptPassage | null {
  const kept = keptSchema.safeParse(JSON.parse(json)).data;
  return kept ? { id: kept.id, passage: { ...kept.passage, createdAt } } : null;
}

/** Evictions before the warning. */
const PRESSURE_AT = 16;

/** The counters of a shared store, as it last reported them to this process. */
export class SharedCounters {
  private isPressed = false;
  private last: ScratchCounters = { passages: 0, bytes: 0, evictions: 0, expirations: 0 };

  /** @param onPressure  called once, when the byte limit has caused evictions */
  constructor(private readonly onPressure: (counters: ScratchCounters) => void) {}

  get known(): ScratchCounters {
    return this.last;
  }

  /** @param report  the content now; the passages that the request has evicted, and those that had expired */
  add({ passages, bytes, evictions, expirations }: ScratchCounters): void {
    this.last = {
      passages,
      bytes,
      evictions: this.last.evictions + evictions,
      expirations: this.last.expirations + expirations,
    };
    if (this.isPressed || this.last.evictions < PRESSURE_AT) return;
    this.isPressed = true;
    this.onPressure(this.last);
  }
}
