import { blake3 } from '@noble/hashes/blake3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { normaliseContent } from './normalise-content.js';

/** Hashes the normalised text: BLAKE3, 256 bits, hexadecimal. */
export function hashContent(text: string): string {
  return bytesToHex(blake3(utf8ToBytes(normaliseContent(text))));
}
