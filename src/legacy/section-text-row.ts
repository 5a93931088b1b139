import type { StoredSection } from '../core/ports/section-index.port.js';
import { wholeOffset } from '../text/clip-text.js';
import { clipToBytes } from '../text/clip-to-bytes.js';
import { shownTitle } from '../text/shown-fields.js';

/** A section's text as the older reader gives it. */
export interface TextRow {
  readonly section_id: string;
  readonly title: string;
  readonly doc_tag: string;
  /** From the start; whole where `truncated` is false. */
  readonly text_truncated: string;
  /** Of this text, in UTF-8. */
  readonly bytes: number;
  readonly truncated: boolean;
  /** There are no blobs. */
  readonly source_blob_id: null;
}

/** @param maxChars  in UTF-16 units */
export function toTextRow({ section, document }: StoredSection, maxBytes: number, maxChars: number): TextRow {
  const end = wholeOffset(section.text, Math.min(maxChars, clipToBytes(section.text, maxBytes)));
  const text = section.text.slice(0, end);
  return {
    section_id: section.id,
    title: shownTitle(section.title),
    doc_tag: document.docTag,
    text_truncated: text,
    bytes: Buffer.byteLength(text),
    truncated: end < section.text.length,
    source_blob_id: null,
  };
}
