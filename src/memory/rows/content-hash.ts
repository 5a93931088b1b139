import { blake3 } from '@noble/hashes/blake3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { normaliseContent } from './normalise-content.js';

/** Names a text by its content: BLAKE3, 256 bits in hexadecimal, of the whole text, normalised. */
export function contentHash(text: string): string {
  return bytesToHex(blake3(utf8ToBytes(normaliseContent(text))));
}
