/** Decodes the percent-encoding of a part of an address. Malformed text, such as `100%`, stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Percent-encodes each part of a path. */
export const encodeParts = (path: string): string =>
  path.toWellFormed().split('/').map(encodeURIComponent).join('/');
