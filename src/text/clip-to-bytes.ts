/** Finds how much of a text fits into a number of UTF-8 bytes. @returns a UTF-16 offset, never inside a character */
export function clipToBytes(text: string, maxBytes: number): number {
  if (Buffer.byteLength(text) <= maxBytes) return text.length;
  // The last character may be incomplete; it is then decoded as a replacement character, which is removed.
  return Buffer.from(text)
    .subarray(0, maxBytes)
    .toString('utf8')
    .replace(/\ufffd+$/, '').length;
}
