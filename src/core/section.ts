import type { GroupLists } from './document-groups.js';

/** The indexed unit: the text under one heading, or a part of it if it is too long. */
export interface Section {
  /** Readable, deterministic, unique within an index; at most 1,024 UTF-8 bytes. */
  readonly id: string;
  /** Position within the document, from 0. */
  readonly ordinal: number;
  /** The nearest heading; above the first heading, the title of the document. */
  readonly title: string;
  /** Headings from the title of the document down to the section's own. */
  readonly headingPath: readonly string[];
  /** Anchor of the heading in its page, as GitHub makes it; null without a heading. */
  readonly anchor: string | null;
  /** Level of its heading, 1 to 6; 1 for the start of a document. */
  readonly level: number;
  /** Markdown as written, without front matter, comments and MDX code. Code between tags is in fences. */
  readonly text: string;
  /** Its sentences, rows and lines of code with what each needs, as `packUnits` writes them. */
  readonly structure: string;
}

/** A reason to read a document with care. */
export interface DocumentFlag {
  /** Line in the file, from 1. */
  readonly line: number;
  /** In Pith's words, never in those of the document. */
  readonly reason: string;
}

/** A place where a document addresses assistants or hides characters. */
export interface DocumentCaution {
  /** Number of invisible characters that were removed from it. */
  readonly removed: number;
  /** By line, one for each reason; at least one. */
  readonly flags: readonly DocumentFlag[];
}

/** The key of metadata that has the kind of a page, if it is not an ordinary one: `changes`, `news`, `migration`, `list`. */
export const KIND_KEY = 'page_kind';
/** The key of metadata that has the version that a page describes. */
export const VERSION_KEY = 'version';
/** The key of metadata that is `unreleased` if the settings of a site say so of the page's version; its name need not. */
export const VERSION_STATE_KEY = 'version_state';
export const UNRELEASED = 'unreleased';

/** Facts about the file of a section. */
export interface DocumentFacts {
  /** Relative to the indexed folder, with forward slashes, not encoded. */
  readonly path: string;
  readonly title: string;
  /** Titles of the folders and navigation above the page, outermost first. */
  readonly trail: readonly string[];
  readonly docTag: string;
  readonly repository: string;
  /** ISO-8601, UTC. */
  readonly updatedAt: string;
  /** Public URL of the page, from its front matter. */
  readonly url: string | null;
  /** Metadata: value by key; at most 64. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Absent for most documents. */
  readonly caution?: DocumentCaution;
  /** The SHA-256 of the stored document that it was read from, in lower-case hex; absent for a file of a folder. */
  readonly artifact?: string;
  /** Who may see it; absent if everybody may. */
  readonly allow?: GroupLists;
}
