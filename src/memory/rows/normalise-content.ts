import { blake3 } from '@noble/hashes/blake3';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** Normalises a text for comparison: compatibility forms (NFKC), case, white space and invisible characters. */
export function normaliseContent(text: string): string {
  const plain = collapsed(text.normalize('NFKC').toLowerCase());
  // A removed character may have been between two spaces.
  return collapsed(plain.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, ''));
}

function collapsed(text: string): string {
  return text.replace(/\p{White_Space}+/gu, ' ').replace(/^ | $/g, '');
}

/** Hashes the normalised text: BLAKE3, 256 bits, hexadecimal. */
export function hashContent(text: string): string {
  return bytesToHex(blake3(utf8ToBytes(normaliseContent(text))));
}
