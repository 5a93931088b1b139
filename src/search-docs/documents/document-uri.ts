/** Documents that the manifest offers are read at this scheme; unlike passages they belong to no session. */
export const DOCUMENT_URI = 'docs:///';

/** The address of a document. @param path  not encoded */
export function documentUri(path: string): string {
  return DOCUMENT_URI + path.toWellFormed().split('/').map(encodeURIComponent).join('/');
}

/** The path in a document's address, spelled with or without percent-encoding; null when it is none. */
export function pathOfUri(uri: string): string | null {
  // Control characters have to be encoded, and no path has a NUL, at which SQLite would end it.
  if (!uri.startsWith(DOCUMENT_URI) || /[?#\p{Cc}]|%00/u.test(uri)) return null;
  try {
    return decodeURIComponent(uri.slice(DOCUMENT_URI.length)) || null;
  } catch {
    // Broken percent-encoding names nothing.
    return null;
  }
}
