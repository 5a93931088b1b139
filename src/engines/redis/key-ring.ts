import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + SALT_BYTES;

/** Bytes that an envelope adds to its text. */
export const ENVELOPE_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/** Length of the prefix (version, key id) that all envelopes of one key share. */
export const SEALER_BYTES = 1 + KEY_ID_BYTES;

const derive = (text: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', text, '', `pith scratch ${purpose}`, bytes));

const toKey = (text: string) => ({
  id: derive(text, 'key id', KEY_ID_BYTES),
  /** The keys of envelopes are derived from it. */
  master: derive(text, 'master key', 32),
});
type Key = ReturnType<typeof toKey>;

/** Additional authenticated data: the header, and the owner and name of the text. */
const additional = (header: Uint8Array, bound: string): Buffer => Buffer.concat([header, Buffer.from(bound)]);

// Each envelope has its own key: with random 96-bit nonces, one key is safe for only about 2^32 envelopes.
const cipherKey = ({ master }: Key, header: Uint8Array): Buffer =>
  createHmac('sha256', master).update(header).digest();

/**
 * Encrypts and decrypts texts with AES-256-GCM: the first key encrypts, all keys decrypt.
 *
 *   1 byte    4 bytes   16     12                 16
 *   version | key id | salt | nonce | ciphertext | tag
 */
export class KeyRing {
  private readonly keys: readonly Key[];
  private readonly first: Key;

  /** @param keys  at least one, each of at least 32 characters: there is no key stretching */
  constructor(keys: readonly string[]) {
    this.keys = keys.map(toKey);
    const [first] = this.keys;
    if (!first) throw new Error('a key ring needs a key');
    this.first = first;
  }

  /** @param bound  owner and name of the text; `open` needs the same value */
  seal(text: Uint8Array, bound: string): Buffer {
    const header = Buffer.concat([Uint8Array.of(VERSION), this.first.id, randomBytes(SALT_BYTES)]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', cipherKey(this.first, header), nonce);
    cipher.setAAD(additional(header, bound));
    return Buffer.concat([header, nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  }

  /** @returns null for an unknown key, another `bound`, and changed or truncated envelopes */
  open(envelope: Uint8Array, bound: string): Buffer | null {
    if (envelope.length < ENVELOPE_BYTES || envelope[0] !== VERSION) return null;
    const header = envelope.subarray(0, HEADER_BYTES);
    const id = header.subarray(1, 1 + KEY_ID_BYTES);
    const key = this.keys.find((one) => one.id.equals(id));
    return key ? decrypt(key, envelope, bound) : null;
  }
}

function decrypt(key: Key, envelope: Uint8Array, bound: string): Buffer | null {
  const header = envelope.subarray(0, HEADER_BYTES);
  const nonce = envelope.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const options = { authTagLength: TAG_BYTES };
  const decipher = createDecipheriv('aes-256-gcm', cipherKey(key, header), nonce, options);
  decipher.setAAD(additional(header, bound));
  decipher.setAuthTag(envelope.subarray(envelope.length - TAG_BYTES));
  const ciphertext = envelope.subarray(HEADER_BYTES + NONCE_BYTES, envelope.length - TAG_BYTES);
  try {
    return Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  } catch {
    // The tag does not match.
    return null;
  }
}
