/** The indexed unit: the text under one heading, or a part of it where that was too long. */
export interface Section {
  /** Readable, deterministic, unique within an index; at most 1,024 UTF-8 bytes. */
  readonly id: string;
  /** Position within the document, from 0. */
  readonly ordinal: number;
  /** The nearest heading, or the document's title above the first one. */
  readonly title: string;
  /** Headings from the document's title down to this section's own. */
  readonly headingPath: readonly string[];
  /** The heading's anchor in its page as GitHub makes it; null where no heading stands above. */
  readonly anchor: string | null;
  /** Of its heading in the file, 1 to 6; 1 for the start of a document. */
  readonly level: number;
  /** Markdown as written, without front matter, comments and MDX code. */
  readonly text: string;
}

/** What is known about the file that sections come from. */
export interface DocumentFacts {
  /** Relative to the indexed folder, with forward slashes, not encoded. */
  readonly path: string;
  readonly title: string;
  readonly docTag: string;
  readonly repository: string;
  /** ISO-8601, UTC. */
  readonly updatedAt: string;
  /** Where people read the page, when the document says so. */
  readonly url: string | null;
  /** What it can be told apart from others by: value by key; at most 64. */
  readonly metadata: Readonly<Record<string, string>>;
}
