/**
 * Finds how much of a text fits into so many UTF-8 bytes.
 * @returns a UTF-16 offset, never inside a character
 */
export function clipToBytes(text: string, maxBytes: number): number {
  if (Buffer.byteLength(text) <= maxBytes) return text.length;
  // The first bytes may end within a character; what was cut shows as a replacement character and goes.
  return Buffer.from(text)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '').length;
}
