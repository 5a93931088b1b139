import { createHash } from 'node:crypto';
import { encodeParts } from '../text/percent-encoding.js';
import { removeInvisible } from '../text/remove-invisible.js';
import { wholeOffset } from '../text/span.js';
import type { DocumentFacts, Section } from './section.js';

const NAMELESS = /[\s#%\p{Cc}]/u;
const MAX_ID_BYTES = 1024;
/** With `~` and 16 hexadecimal digits, the id stays below the maximum. */
const KEPT_BYTES = 900;

/** The part of a section id that names the page. Paths in ids contain no `#`. */
export function pagePath(sectionId: string): string {
  return sectionId.replace(/#.*$/s, '');
}

/** Percent-encodes what makes an id ambiguous or unreadable: white space, `#`, `%`, control and invisible characters. */
export function encodePath(path: string): string {
  const unseen = new Set(removeInvisible(path).removedAt);
  return path.replace(/[\s#%\p{Cc}]|\P{ASCII}/gu, (char: string, at: number) =>
    unseen.has(at) || NAMELESS.test(char) ? Array.from(Buffer.from(char), percentEncode).join('') : char,
  );
}

function percentEncode(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
}

/** The number of the page on which a section begins, in formats with pages; undefined in others. */
export function sectionPage({ anchor }: Pick<Section, 'anchor'>): string | undefined {
  return anchor === null ? undefined : /^page=(\d+)$/.exec(anchor)?.[1];
}

/** Longer addresses end before the anchor: each quote has one, and replies have limits. */
const MAX_URL_BYTES = 500;

/** The public URL of a section, with its anchor. In a format with pages this is the page, and without a URL it is the path. */
export function sectionUrl(
  section: Pick<Section, 'anchor'>,
  { url, path }: Pick<DocumentFacts, 'url' | 'path'>,
): string | null {
  const { anchor } = section;
  const base = url ?? (sectionPage(section) === undefined ? null : encodePath(path));
  if (base === null || anchor === null || base.includes('#')) return base;
  const whole = `${base}#${encodePath(anchor)}`;
  return Buffer.byteLength(whole) <= MAX_URL_BYTES ? whole : base;
}

/** The address of a document in the reader of the HTTP server. @param path  not encoded @param fragment  not encoded; '' for none */
export function readerAddress(path: string, fragment = ''): string {
  return `/read/${encodeParts(path)}${fragment === '' ? '' : `#${encodeParts(fragment)}`}`;
}

/** The address of a section in the reader: its fragment is the part of its id that names the heading. */
export function sectionReaderAddress(sectionId: string): string {
  const [path = '', fragment = ''] = sectionId.split('#', 2);
  return readerAddress(decodePath(path), fragment);
}

/** The address of a section in the reader, without an origin, for citations of documents without a public URL. */
export function sectionReaderUrl(section: Pick<Section, 'id' | 'anchor'>): string {
  const page = sectionPage(section);
  const address = sectionReaderAddress(section.id);
  const [path = ''] = address.split('#', 1);
  const whole = page === undefined ? address : `${path}#page=${page}`;
  return Buffer.byteLength(whole) <= MAX_URL_BYTES ? whole : path;
}

/** The metadata of a document, with the page of one of its sections as `page`. */
export function sectionMetadata(
  section: Pick<Section, 'anchor'>,
  { metadata }: Pick<DocumentFacts, 'metadata'>,
): DocumentFacts['metadata'] {
  const page = sectionPage(section);
  return page === undefined ? metadata : { ...metadata, page };
}

/** Encodes the path in a section id, for callers that write it unencoded. */
export function encodedId(id: string): string {
  // Slugs have no `#`, but paths may.
  const at = id.lastIndexOf('#');
  const path = at < 0 ? id : id.slice(0, at);
  return encodePath(path.normalize('NFC')) + id.slice(path.length).normalize('NFC');
}

/**
 * Reverses `encodePath`, and composes accents: macOS writes file names in the decomposed form, and the paths of an index
 * are composed. Other text stays unchanged, and so does an encoded NUL, where SQLite would end the text.
 */
export function decodePath(encoded: string): string {
  const decoded = encoded.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    const bytes = Buffer.from(run.replaceAll('%', ''), 'hex');
    const text = bytes.toString('utf8');
    return Buffer.from(text).equals(bytes) && !text.includes('\0') ? text : run;
  });
  return decoded.normalize('NFC');
}

/** Limits an id to 1,024 UTF-8 bytes: a longer id is replaced by its start and a hash of the whole id. */
export function boundId(id: string): string {
  if (Buffer.byteLength(id) <= MAX_ID_BYTES) return id;
  let kept = id.slice(0, wholeOffset(id, KEPT_BYTES));
  while (Buffer.byteLength(kept) > KEPT_BYTES) kept = kept.slice(0, wholeOffset(kept, kept.length - 1));
  return `${kept}~${createHash('sha256').update(id).digest('hex').slice(0, 16)}`;
}
