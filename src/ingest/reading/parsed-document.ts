import type { DocumentProblem } from '../../core/indexed-document.js';

/** A heading of the document itself, not inside a list, a quotation, HTML or code. */
export interface HeadingBlock {
  readonly kind: 'heading';
  /** 1..6 */
  readonly level: number;
  /** Plain text, whitespace collapsed; never empty. */
  readonly title: string;
  /** As declared, or as the format makes it; '' if the page has none; null if the site makes one of the title. */
  readonly anchor: string | null;
  /** True for a heading that Markdown writes as HTML: GitHub makes an anchor of its title, other sites don't. */
  readonly isHtml?: true;
  /** Line in the file, from 1. */
  readonly line: number;
}

/** A block of body text; `text` is Markdown as written. */
export interface BodyBlock {
  readonly kind: 'text' | 'fence' | 'table' | 'item';
  readonly text: string;
  /** In the file, from 1. */
  readonly line: number;
  /** The page on which it begins, from 1, in formats with pages. */
  readonly page?: number;
}

export type Block = HeadingBlock | BodyBlock;

/** A file's content, independent of its format. */
export interface ParsedDocument {
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** The entries of the front matter and of its metadata maps, as written. */
  readonly written: readonly WrittenFact[];
  /** HTML's `<title>`; null in other formats. */
  readonly title: string | null;
  readonly blocks: readonly Block[];
  /** Links that are not in the blocks: addresses in MDX tags. */
  readonly tagLinks: readonly TagLink[];
  /** Targets of links other than headings. */
  readonly anchors: readonly PageAnchor[];
  /** Parts of the file that could not be read. */
  readonly problems: readonly DocumentProblem[];
}

export interface WrittenFact {
  /** Its level: the top level, or below one of the two metadata keys. */
  readonly below: 'top' | 'metadata' | 'mcp_metadata';
  readonly key: string;
  /** null for a list or map. */
  readonly value: string | null;
  /** In the file, from 1. */
  readonly line: number;
}

export interface PageAnchor {
  readonly name: string;
  /** Line of its heading, or a line below that heading; 0 above the first heading. */
  readonly line: number;
}

/** Largest number of anchors in a page; generated indexes reach 20,000. */
export const MAX_ANCHORS = 50_000;
export const ANCHOR_NAME = /^[^\s]{1,500}$/;

/** Longer destinations are ignored. The limit keeps pages with many unclosed brackets fast. */
export const MAX_HREF_CHARS = 2048;

export interface TagLink {
  readonly href: string;
  /** In the file, from 1. */
  readonly line: number;
}

/** Attributes that the settings of a site give to AsciiDoc; null for one that is not set. */
export type AsciidocAttributes = Readonly<Record<string, string | null>>;

/** Parses decoded source (LF line ends, no byte order mark). @throws MalformedDocumentError */
export type DocumentReader = (
  text: string,
  attributes?: AsciidocAttributes,
) => ParsedDocument | Promise<ParsedDocument>;

/** A file whose content doesn't match its extension. Other files are not affected. */
export class MalformedDocumentError extends Error {
  /** @param line  in the file, from 1; 0 for the file as a whole */
  constructor(
    readonly line: number,
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`line ${line}: ${reason}`, options);
    this.name = 'MalformedDocumentError';
  }
}
