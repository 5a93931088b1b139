import type { DocumentFacts, Section } from '../../core/section.js';
import { sectionUrl } from '../../core/section-id.js';
import { encodeParts } from '../../text/percent-encoding.js';

/** The URI prefix of documents that the manifest offers. Unlike passages, they do not belong to a session. */
const DOCUMENT_URI = 'docs:///';

/** The URI of a document. @param path  not encoded */
export function documentUri(path: string): string {
  return DOCUMENT_URI + encodeParts(path);
}

/**
 * The address that a citation of a document opens: its public URL, with the anchor of a section. A document without one
 * has only its URI, which hosts can read as a resource and browsers can't open.
 */
export function documentAddress(
  document: Pick<DocumentFacts, 'url' | 'path'>,
  section?: Pick<Section, 'anchor'>,
): string {
  if (document.url === null) return documentUri(document.path);
  return (section && sectionUrl(section, document)) ?? document.url;
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
