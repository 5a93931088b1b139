import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const VERSION = 1;
const KEY_ID_BYTES = 4;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + KEY_ID_BYTES + SALT_BYTES;

/** What an envelope takes beside the text in it. */
export const ENVELOPE_BYTES = HEADER_BYTES + NONCE_BYTES + TAG_BYTES;

/** An envelope's first bytes; the same in all that one key seals. */
export const SEALER_BYTES = 1 + KEY_ID_BYTES;

interface Key {
  readonly id: Buffer;
  /** What the keys of envelopes are made of. */
  readonly master: Buffer;
}

const derive = (text: string, purpose: string, bytes: number): Buffer =>
  Buffer.from(hkdfSync('sha256', text, '', `pith scratch ${purpose}`, bytes));

const toKey = (text: string): Key => ({
  id: derive(text, 'key id', KEY_ID_BYTES),
  master: derive(text, 'master key', 32),
});

/** Everything in front of the ciphertext is authenticated with it, and so is what the text belongs to. */
const additional = (header: Uint8Array, bound: string): Buffer => Buffer.concat([header, Buffer.from(bound)]);

// A key of its own for every envelope: random nonces of 96 bits alone would allow some 2^32 under one key.
const cipherKey = ({ master }: Key, header: Uint8Array): Buffer =>
  createHmac('sha256', master).update(header).digest();

/**
 * Keys that seal and open texts with AES-256-GCM: the first seals, all open.
 *
 *   1 byte    4 bytes   16     12                 16
 *   version | key id | salt | nonce | ciphertext | tag
 */
export class KeyRing {
  private readonly keys: readonly Key[];
  private readonly first: Key;

  /** @param keys  at least one, of at least 32 characters each: they are stretched by nothing */
  constructor(keys: readonly string[]) {
    this.keys = keys.map(toKey);
    const [first] = this.keys;
    if (!first) throw new Error('a key ring needs a key');
    this.first = first;
  }

  /** @param bound  what the text belongs to; opening needs the same */
  seal(text: Uint8Array, bound: string): Buffer {
    const header = Buffer.concat([Uint8Array.of(VERSION), this.first.id, randomBytes(SALT_BYTES)]);
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv('aes-256-gcm', cipherKey(this.first, header), nonce);
    cipher.setAAD(additional(header, bound));
    return Buffer.concat([header, nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  }

  /** Returns null for whatever none of the keys has sealed for this: another key's, another place's, changed or cut. */
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
    // The tag does not fit: not ours, or not what we wrote.
    return null;
  }
}
