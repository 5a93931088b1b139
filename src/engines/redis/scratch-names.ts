import { createHash, createHmac, hkdfSync } from 'node:crypto';
import type { ScratchOwner } from '../../core/ports/scratch-store.port.js';

const NAME_BYTES = 16;

/** Length of a session or passage name: 128 bits in base64url. */
export const NAME_CHARS = 22;

const clip = (digest: Buffer): string => digest.subarray(0, NAME_BYTES).toString('base64url');

/**
 * The Redis keys of an owner. Names are HMACs under the server's secret, so they reveal nothing about sessions and
 * passages. They don't depend on the encryption key, so passages are found after key rotation.
 */
export class ScratchNames {
  private readonly key: Buffer;

  constructor(secret: string) {
    this.key = Buffer.from(hkdfSync('sha256', secret, '', 'pith scratch names', 32));
  }

  /**
   * The key prefix of a project and environment, which share a byte limit, even for servers with different secrets. The
   * braces keep all keys on one node of a cluster.
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
