import type { DocumentProblem } from '../../core/indexed-document.js';

/** A heading of the document itself, not one inside a list, a quotation, HTML or code. */
export interface HeadingBlock {
  readonly kind: 'heading';
  /** 1..6 */
  readonly level: number;
  /** Plain text, whitespace collapsed; never empty. */
  readonly title: string;
  /** From an explicit `{#id}`; null where the page makes its own. */
  readonly anchor: string | null;
  /** In the file, from 1. */
  readonly line: number;
}

/** A piece of body text that may stand alone; `text` is Markdown as written. */
export interface BodyBlock {
  readonly kind: 'text' | 'fence' | 'table' | 'item';
  readonly text: string;
  /** In the file, from 1. */
  readonly line: number;
}

/** One top-level piece of a document, in reading order. */
export type Block = HeadingBlock | BodyBlock;

/** A file's content, independent of its format. */
export interface ParsedDocument {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** What the front matter's keys and those below `metadata` say, as it was written. */
  readonly written: readonly WrittenFact[];
  /** HTML's `<title>`; null in other formats. */
  readonly title: string | null;
  readonly blocks: readonly Block[];
  /** Links that no block shows: addresses of MDX tags. */
  readonly tagLinks: readonly TagLink[];
  /** What links may lead to besides headings. */
  readonly anchors: readonly PageAnchor[];
  /** What of the file could not be read. */
  readonly problems: readonly DocumentProblem[];
}

/** A key of front matter with its value. */
export interface WrittenFact {
  /** Where it stands: at the top, or below one of the keys that hold metadata. */
  readonly below: 'top' | 'metadata' | 'mcp_metadata';
  readonly key: string;
  /** null for a list or map. */
  readonly value: string | null;
  /** In the file, from 1. */
  readonly line: number;
}

/** An id of an element. */
export interface PageAnchor {
  readonly name: string;
  /** Of the heading that it belongs to, or a line below that; 0 above the first heading. */
  readonly line: number;
}

export interface TagLink {
  readonly href: string;
  /** In the file, from 1. */
  readonly line: number;
}

/**
 * Reads decoded source (LF line ends, no byte order mark).
 * @throws MalformedDocumentError
 */
export type DocumentReader = (text: string) => ParsedDocument;

/** A file that can't be read as what its name says; the rest of the folder can. */
export class MalformedDocumentError extends Error {
  /** @param line  in the file, from 1 */
  constructor(
    readonly line: number,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`line ${line}: ${reason}`, options);
    this.name = 'MalformedDocumentError';
  }
}
