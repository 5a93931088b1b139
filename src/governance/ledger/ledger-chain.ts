import { createHmac, hkdfSync } from 'node:crypto';
import { canonicalJson } from '../../text/canonical-json.js';
import type { LedgerMark } from './ledger-line.js';

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

/** Stands for the hash of the line before the first one. */
export const NO_LINE: LedgerMark = { seq: 0, hash: '' };

/** A line as it is stored. */
export interface StoredLine extends LedgerMark {
  /** ISO-8601, UTC, with milliseconds. */
  readonly time: string;
  /** Canonical JSON. */
  readonly event: string;
  /** Hash of the line before; empty in the first line. */
  readonly previous: string;
}

/** An event that waits for its line. */
export interface LedgerEntry {
  readonly time: string;
  /** Canonical JSON. */
  readonly event: string;
}

/** The stored head: the last line, signed, so that a cut tail is found. */
export interface StoredHead extends LedgerMark {
  readonly signature: string;
  /** Id of the keys that signed. */
  readonly keyId: string;
}

const hmac = (text: string, { chain }: LedgerKeys): string =>
  createHmac('sha256', chain).update(text).digest('base64url');

/**
 * The hash of a line: HMAC over the canonical JSON of everything else. The members are in canonical order, and `event`
 * is canonical already.
 */
export function lineHash({ event, previous, seq, time }: Omit<StoredLine, 'hash'>, keys: LedgerKeys): string {
  return hmac(`{"event":${event},"previous":"${previous}","seq":${seq},"time":"${time}"}`, keys);
}

/** Signs the position of the last line. */
export function signHead({ seq, hash }: LedgerMark, keys: LedgerKeys): StoredHead {
  const signature = hmac(`{"hash":"${hash}","key":"${keys.id}","seq":${seq}}`, keys);
  return { seq, hash, signature, keyId: keys.id };
}

/**
 * Makes lines of entries.
 * @param after  the last line so far; NO_LINE for an empty ledger
 */
export function chainLines(
  entries: readonly LedgerEntry[],
  after: LedgerMark,
  keys: LedgerKeys,
): StoredLine[] {
  const lines: StoredLine[] = [];
  let last = after;
  for (const { time, event } of entries) {
    const line = { seq: last.seq + 1, time, event, previous: last.hash };
    const signed = { ...line, hash: lineHash(line, keys) };
    lines.push(signed);
    last = signed;
  }
  return lines;
}
