import { canonicalJson } from '../../text/canonical-json.js';
import { clipToBytes } from '../../text/span.js';
import { isSecretName, looksLikeSecret } from '../files/secret-values.js';

/** Longest text, in UTF-8 bytes. */
export const MAX_RECORDED_BYTES = 2_048;
const CLIPPED = '…';
const REDACTED = '[redacted]';

/** A name or reason for the ledger: replaced if it looks like a secret. */
export const recordedWord = (text: string): string => (looksLikeSecret(text) ? REDACTED : text);

/** Replaces texts: all, those that look like a secret, and those in a field whose name stands for one. */
function redacted(value: unknown, hidesAll: boolean): unknown {
  if (typeof value === 'string') return hidesAll || looksLikeSecret(value) ? REDACTED : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => redacted(item, hidesAll));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, redacted(item, hidesAll || isSecretName(name))]),
  );
}

/**
 * The arguments of a call for the ledger, without secrets of known kinds.
 * @param args  after defaults
 * @param hidesTexts  true for tools whose texts are private, such as memories
 * @returns canonical JSON; a long one is clipped and ends with `…`
 */
export function argumentsText(args: unknown, hidesTexts: boolean): string {
  const text = canonicalJson(redacted(args, hidesTexts));
  if (Buffer.byteLength(text) <= MAX_RECORDED_BYTES) return text;
  return text.slice(0, clipToBytes(text, MAX_RECORDED_BYTES - Buffer.byteLength(CLIPPED))) + CLIPPED;
}
