import { createHmac, hkdfSync } from 'node:crypto';
import { canonicalJson } from '../../text/canonical-json.js';

/** Keys of one ledger. Processes that share a ledger have the same server secret, so the same keys. */
export interface LedgerKeys {
  /** Signs lines and the head. */
  readonly chain: Uint8Array;
  /** Hashes arguments. */
  readonly input: Uint8Array;
  /** Names the secret without revealing it. */
  readonly id: string;
}

const KEY_BYTES = 32;
const ID_BYTES = 9;

const derived = (secret: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', `pith ledger ${purpose}`, bytes));

/** Derives the keys from the server's secret by HKDF (RFC 5869), one for each purpose. */
export function ledgerKeys(secret: string): LedgerKeys {
  return {
    chain: derived(secret, 'chain', KEY_BYTES),
    input: derived(secret, 'input', KEY_BYTES),
    id: derived(secret, 'id', ID_BYTES).toString('base64url'),
  };
}

/**
 * Keyed hash of the arguments of a call. Equal arguments have equal hashes; without the secret, short arguments can't
 * be guessed from it.
 * @param args  after defaults
 * @returns HMAC-SHA-256 over canonical JSON, base64url
 */
export function inputHash(args: unknown, { input }: Pick<LedgerKeys, 'input'>): string {
  return createHmac('sha256', input).update(canonicalJson(args)).digest('base64url');
}
