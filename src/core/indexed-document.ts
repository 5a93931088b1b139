import type { EntityType } from './graph-model.js';
import type { DocumentFacts, Section } from './section.js';

/** A heading of a document, with or without text of its own. */
export interface FoundHeading {
  /** Id of its first section, or the id that such a section would have. */
  readonly id: string;
  readonly title: string;
  /** 1..6, as written; the preamble has 1. */
  readonly level: number;
  readonly anchor: string | null;
  /** Id of the parent heading; null directly below the document. */
  readonly parent: string | null;
  /** Ordinals of its sections: several if its text is too long for one section, none if it has no text. */
  readonly sections: readonly number[];
}

/** A link as written. It is resolved when all documents are known. */
export interface FoundLink {
  /** Ordinal of its section. */
  readonly section: number;
  /** The destination without title and surrounding white space; at most 2,048 characters. */
  readonly href: string;
  /** True for a link after "See also", "Related" and the like, or below such a heading. */
  readonly isSeeAlso: boolean;
}

/** An id on a page that links can refer to. */
export interface FoundAnchor {
  readonly name: string;
  /** Id of its heading; null if only the page is known. */
  readonly heading: string | null;
}

/** An entity that a section names. */
export interface FoundMention {
  /** Ordinal of the section. */
  readonly section: number;
  /** The most frequent spelling, without marks; at most 120 characters. Names with equal `entityKey` are one entity. */
  readonly name: string;
  readonly type: EntityType;
  /** Number of mentions, from 1. */
  readonly count: number;
  /** True when the heading or a definition in the section is about it. */
  readonly isDefined: boolean;
}

/** One numbered step of a procedure. */
export interface FoundStep {
  /** Ordinal of the section. */
  readonly section: number;
  /** From 1 within the section, in reading order; nested steps belong to their parent step. */
  readonly number: number;
  /** Its first sentence without marks; at most 200 characters. */
  readonly title: string;
}

/** The structure of a document, its links and its mentions. */
export interface DocumentGraph {
  /** In reading order. */
  readonly headings: readonly FoundHeading[];
  readonly links: readonly FoundLink[];
  readonly mentions: readonly FoundMention[];
  readonly steps: readonly FoundStep[];
  /** Anchors other than those of headings; names are unique. */
  readonly anchors: readonly FoundAnchor[];
}

/** A message about one file or folder. */
export interface Remark {
  /** `PATH`, or `PATH:LINE` if the line is known. */
  readonly path: string;
  readonly reason: string;
  /** True when the user should fix it; false for a skip by design and for a setting without effect. */
  readonly isProblem: boolean;
}

/** A problem in a file that is indexed nevertheless. */
export interface DocumentProblem {
  /** Line in the file, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** A document with all its sections, ready to be indexed. */
export interface IndexedDocument {
  readonly facts: DocumentFacts;
  /** Hash of the bytes and of everything else that determines the sections. */
  readonly hash: string;
  readonly bytes: number;
  /** The complete front matter, so that later versions can use more of it without reading the file again. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  /** The list of groups in its front matter; absent without one. */
  readonly allowed?: readonly string[];
  readonly sections: readonly Section[];
  readonly graph: DocumentGraph;
  /** Parts that were left out and need fixing. */
  readonly problems: readonly DocumentProblem[];
  /** Packed vectors from a model, one per section in order; set by the decorator that adds a model to a writer. */
  readonly vectors?: readonly Uint8Array[];
}
