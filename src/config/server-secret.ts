import { randomBytes } from 'node:crypto';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import type { Config } from './config.js';

/** Where the generated secret of an index lies: beside it, never in it. */
export function secretFileOf(indexFile: string): string {
  return `${indexFile}.secret`;
}

function readSecretFile(file: string): string | null {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    return secret.length >= 32 ? secret : null;
  } catch {
    // Absent or not ours to read: the caller decides what then.
    return null;
  }
}

/** Makes the secret file if there is none; readable by its owner alone. */
export function ensureSecretFile(indexFile: string): void {
  const file = secretFileOf(indexFile);
  if (readSecretFile(file)) return;
  writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 });
  chmodSync(file, 0o600);
}

/** The secret of this server, and whether it will still be the same after a restart. */
export function serverSecret(config: Config): { readonly secret: string; readonly isLasting: boolean } {
  const secret = config.server.secret || readSecretFile(secretFileOf(config.index.file));
  return secret
    ? { secret, isLasting: true }
    : { secret: randomBytes(32).toString('base64url'), isLasting: false };
}
