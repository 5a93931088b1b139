import { createHash } from 'node:crypto';
import type { FoundLink } from '../../core/indexed-document.js';
import type { DocumentFacts, Section } from '../../core/section.js';
import { encodePath } from '../../core/section-id.js';
import { shownTitle } from '../../text/untrusted-text.js';
import type { FoundTable } from './tables/form-table.js';

/** A heading of an outline. */
export interface OutlineEntry {
  /** Id of its first section; null if it has no text of its own and the document is stored. */
  readonly id: string | null;
  readonly title: string;
  /** 1..6 */
  readonly level: number;
  readonly anchor: string | null;
  readonly parent: string | null;
  /** Number of sections with its own text: 0 for a heading without text. */
  readonly sections: number;
}

/** A table and its section; null if none of its sections has the text. */
export interface PlacedTable extends FoundTable {
  readonly section: Section | null;
}

/** A document of a call, read as `pith index` reads it. */
export interface ReadDocument {
  readonly origin: 'sent' | 'stored';
  readonly facts: DocumentFacts;
  /** In reading order. */
  readonly sections: readonly Section[];
  readonly outline: readonly OutlineEntry[];
  readonly links: readonly FoundLink[];
  /** Changes with the content: the generation of the index, or a hash of the text. */
  readonly version: string;
  /** Empty if only the document was asked for. */
  readonly tables: readonly PlacedTable[];
}

/** The parts of a document to read: the document, or the document with its tables. */
export type TextPart = 'document' | 'tables';

/** A text that a call sends, as a file that `pith index` would read. */
export interface SentText {
  readonly text: string;
  /** With an extension that `pith index` reads. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** A document of one generation of the index. */
export interface StoredText {
  readonly facts: DocumentFacts;
  /** All of them, in reading order. */
  readonly sections: readonly Section[];
  readonly generation: string;
}

/** A document to read. */
export type ReadTask = { readonly part: TextPart } & (
  { readonly sent: SentText } | { readonly stored: StoredText }
);

/** The title of a document and its headings. */
export const titlesOf = ({ facts, outline }: Pick<ReadDocument, 'facts' | 'outline'>): string[] => [
  facts.title,
  ...outline.map(({ title }) => title),
];

/** SHA-256 in hex. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Largest number of flags that are shown. */
const MAX_FLAGS = 5;

/** The document of a result. */
export function showDocument({ facts, origin }: ReadDocument) {
  const flags = facts.caution?.flags.slice(0, MAX_FLAGS) ?? [];
  return {
    path: encodePath(facts.path),
    title: shownTitle(facts.title),
    origin,
    ...(flags.length > 0 ? { flags: flags.map(({ line, reason }) => ({ line, reason })) } : {}),
  };
}

/** The id and hash of a section. */
export function citationOf(section: Section | null | undefined) {
  return { section_id: section?.id ?? null, content_sha256: section ? sha256Of(section.text) : null };
}
