import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { codeIn } from '../core/errors.js';
import type { Config } from './config.js';

/** Path of the generated secret: a file next to the index, never inside it. */
export function secretFileOf(indexFile: string): string {
  return `${indexFile}.secret`;
}

function readSecretFile(file: string): string | null {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    return secret.length >= 32 ? secret : null;
  } catch {
    // Missing or unreadable: the caller decides what to do.
    return null;
  }
}

/** Creates the secret file if it is missing, readable by its owner only. */
export function ensureSecretFile(indexFile: string): void {
  const file = secretFileOf(indexFile);
  if (readSecretFile(file)) return;
  const flag = existsSync(file) ? 'w' : 'wx';
  try {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flag });
    chmodSync(file, 0o600);
  } catch (error) {
    // Another process that started at the same time created it.
    if (codeIn(error) !== 'EEXIST') throw error;
  }
}

/** For features that need `isLasting`. */
export const LASTING_SECRET_HINT =
  'set PITH_SECRET, or index documents first, which creates a secret file beside the index.';

/** The key that signs cursors and passage ids. */
export abstract class ServerSecret {
  /** At least 32 characters. */
  abstract readonly secret: string;
  /** False if it changes at the next restart. */
  abstract readonly isLasting: boolean;
}

/** The secret that is configured, or the one in the secret file, or a new one. */
export function serverSecret(config: Pick<Config, 'server' | 'index'>): ServerSecret {
  const secret = config.server.secret || readSecretFile(secretFileOf(config.index.file));
  return secret
    ? { secret, isLasting: true }
    : { secret: randomBytes(32).toString('base64url'), isLasting: false };
}
