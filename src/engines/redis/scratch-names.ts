import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { ScratchOwner } from '../../core/ports/scratch-store.port.js';

const NAME_BYTES = 16;

/** How long a name of a session or passage is: 128 bits in base64url. */
export const NAME_CHARS = 22;

const clip = (digest: Buffer): string => digest.subarray(0, NAME_BYTES).toString('base64url');

/**
 * Where things of an owner stand in Redis. Names tell nothing of sessions, passages and texts: they are keyed with the
 * server's secret, which sessions follow from anyway, so that passages are found whatever key sealed them.
 */
export class ScratchNames {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'pith scratch names', 32));
  }

  /**
   * The prefix of all keys of a project and environment: one byte bound and one order of use. Braces keep them on one
   * node of a cluster. Not keyed: several servers may share the bound.
   */
  space({ projectId, environment }: ScratchOwner): string {
    const digest = createHash('sha256').update(JSON.stringify(['pith scratch', projectId, environment]));
    return `pith:scratch:{${clip(digest.digest())}}`;
  }

  session(owner: ScratchOwner): string {
    return this.name('session', owner);
  }

  /** Begins with the name of its session, so that a passage that goes can be taken from its session's list. */
  passage(owner: ScratchOwner, id: string): string {
    return `${this.session(owner)}.${this.name('passage', owner, id)}`;
  }

  private name(kind: string, { projectId, environment, sessionId }: ScratchOwner, id = ''): string {
    const text = JSON.stringify([kind, projectId, environment, sessionId, id]);
    return clip(createHmac('sha256', this.key).update(text).digest());
  }
}
