import { timingSafeEqual } from 'node:crypto';
import type { Allowance } from '../../core/call.js';
import type { Principal, Principals } from '../../mcp/principals.js';
import type { Access } from './access-file.js';
import { keyDigest } from './access-key.js';

interface StoredKey {
  /** SHA-256 of the key. */
  readonly digest: Buffer;
  readonly principal: Principal;
}

const digestIn = (hash: string): Buffer => Buffer.from(hash.slice('sha256:'.length), 'hex');

/** Fields that are absent in the file are absent in the allowance. */
function allowanceOf(limits: Access['principals'][string]['limits']): Allowance {
  const { calls_per_minute, concurrent_calls, bytes_per_day } = limits;
  return {
    ...(calls_per_minute !== undefined && { callsPerMinute: calls_per_minute }),
    ...(concurrent_calls !== undefined && { concurrentCalls: concurrent_calls }),
    ...(bytes_per_day !== undefined && { bytesPerDay: bytes_per_day }),
  };
}

/** The principals of an access file. */
export class FilePrincipals implements Principals {
  readonly areRequired = true;
  readonly all: readonly Principal[];
  private readonly keys: readonly StoredKey[];

  constructor({ principals }: Access) {
    const entries = Object.entries(principals).map(
      ([name, { keys, agent = null, permissions, tools = null, scope, limits }]) => ({
        keys,
        principal: { name, agent, permissions, tools, scope, allowance: allowanceOf(limits) },
      }),
    );
    this.all = entries.map(({ principal }) => principal);
    this.keys = entries.flatMap(({ keys, principal }) =>
      keys.map((hash) => ({ digest: digestIn(hash), principal })),
    );
  }

  withKey(key: string): Principal | null {
    const given = keyDigest(key);
    let found: Principal | null = null;
    // Every key is compared, so that the time does not depend on which one matches.
    for (const { digest, principal } of this.keys) if (timingSafeEqual(digest, given)) found = principal;
    return found;
  }
}
