const MAX_PAGE = 100;

/** Makes the older cursor: the offset in decimal, as base64 for URLs with its padding. */
export function encodeOffset(offset: number): string {
  return Buffer.from(String(offset)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Reads an older cursor; what is none means the beginning, as it always did. */
export function decodeOffset(cursor: string | null): number {
  const digits = Buffer.from(cursor ?? '', 'base64url').toString('latin1');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
}

/** Rows of a page: 0 means the default, and everything is brought into 1 to 100. */
export function pageLength(asked: number, byDefault: number): number {
  return Math.min(MAX_PAGE, Math.max(1, asked || byDefault));
}
