const MAX_PAGE = 100;

/** Encodes an older cursor: the decimal offset in URL-safe base64 with padding. */
export function encodeOffset(offset: number): string {
  return Buffer.from(String(offset)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}

/** Decodes an older cursor. An invalid cursor means the beginning, as it always did. */
export function decodeOffset(cursor: string | null): number {
  const digits = Buffer.from(cursor ?? '', 'base64url').toString('latin1');
  return /^\d{1,9}$/.test(digits) ? Number(digits) : 0;
}

/** Rows per page, clamped to 1 to 100; 0 means the default. */
export function pageLength(asked: number, byDefault: number): number {
  return Math.min(MAX_PAGE, Math.max(1, asked || byDefault));
}
