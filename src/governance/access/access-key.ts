import { createHash } from 'node:crypto';

/** Begins every key, so that people and secret scanners recognise one. */
const PREFIX = 'pith_';
const RANDOM_BYTES = 32;
/** Characters at the end of a key that find typing errors and missing characters. */
const CHECK_CHARS = 6;
const KEY = /^pith_[\w-]{49}$/;

const checkOf = (body: string): string =>
  createHash('sha256').update(body).digest('base64url').slice(0, CHECK_CHARS);

/** Makes a key of 256 random bits. @param random  makes random bytes */
export function makeKey(random: (bytes: number) => Buffer): string {
  const body = PREFIX + random(RANDOM_BYTES).toString('base64url');
  return body + checkOf(body);
}

/** True for a key as `makeKey` makes it: complete, and without typing errors. */
export function isWholeKey(key: string): boolean {
  return KEY.test(key) && checkOf(key.slice(0, -CHECK_CHARS)) === key.slice(-CHECK_CHARS);
}

/** SHA-256 of a key. Keys have 256 random bits and can't be guessed from it, so no slow hash for passwords is needed. */
export function keyDigest(key: string): Buffer {
  return createHash('sha256').update(key).digest();
}

/** The form of a key in the access file: `sha256:` and 64 hexadecimal digits. */
export const hashOfKey = (key: string): string => `sha256:${keyDigest(key).toString('hex')}`;

/** True if the text begins like a key. */
export const looksLikeKey = (text: unknown): boolean => typeof text === 'string' && text.startsWith(PREFIX);

/** A message without the keys in it. */
export const withoutKeys = (message: string): string => message.replace(/pith_[\w-]{32,}/g, 'pith_…');
