import { encodeParts } from '../../text/percent-encoding.js';

/** The URI prefix of documents that are offered as resources. Unlike passages, they do not belong to a session. */
const DOCUMENT_URI = 'docs:///';

/** The URI of a document. @param path  not encoded */
export function documentUri(path: string): string {
  return DOCUMENT_URI + encodeParts(path);
}

/** The path in a document's URI, with or without percent-encoding; null if it is not a document URI. */
export function pathOfUri(uri: string): string | null {
  // Control characters must be encoded. NUL is refused: SQLite would end the string there.
  if (!uri.startsWith(DOCUMENT_URI) || /[?#\p{Cc}]|%00/u.test(uri)) return null;
  try {
    return decodeURIComponent(uri.slice(DOCUMENT_URI.length)) || null;
  } catch {
    // The percent-encoding is malformed.
    return null;
  }
}
