import type { EntityType } from './graph-model.js';
import type { DocumentFacts, Section } from './section.js';

/** A heading of a document, with or without a text of its own. */
export interface FoundHeading {
  /** That of its first section, if it has one; else what such a section would have. */
  readonly id: string;
  readonly title: string;
  /** 1..6, as written; the preamble has 1. */
  readonly level: number;
  readonly anchor: string | null;
  /** Id of the heading above; null right below the document. */
  readonly parent: string | null;
  /** Ordinals of its sections: several when its text was too long for one, none when it has no text. */
  readonly sections: readonly number[];
}

/** A link as written; where it leads is known only when all documents are. */
export interface FoundLink {
  /** Ordinal of the section that it stands in. */
  readonly section: number;
  /** Without surrounding white space and title; at most 2,048 characters. */
  readonly href: string;
  /** Whether it stands under "See also", "Related" and the like, or behind such words. */
  readonly isSeeAlso: boolean;
}

/** An id on a page that links may lead to. */
export interface FoundAnchor {
  readonly name: string;
  /** Id of the heading that it belongs to; null where only the page is known. */
  readonly heading: string | null;
}

/** A thing that a section names. */
export interface FoundMention {
  /** Ordinal of the section. */
  readonly section: number;
  /** As it is written most often, without marks; at most 120 characters. `entityKey` says which names are one. */
  readonly name: string;
  readonly type: EntityType;
  /** How often, from 1. */
  readonly count: number;
  /** Whether the heading or a definition there is about it. */
  readonly isDefined: boolean;
}

/** One numbered step of a procedure. */
export interface FoundStep {
  /** Ordinal of the section. */
  readonly section: number;
  /** From 1 within the section, in reading order; nested steps are part of theirs. */
  readonly number: number;
  /** Its first sentence without marks; at most 200 characters. */
  readonly title: string;
}

/** How a document is built, and what it points to. */
export interface DocumentGraph {
  /** In reading order. */
  readonly headings: readonly FoundHeading[];
  readonly links: readonly FoundLink[];
  readonly mentions: readonly FoundMention[];
  readonly steps: readonly FoundStep[];
  /** Besides those of headings; names are unique. */
  readonly anchors: readonly FoundAnchor[];
}

/** Something wrong in a file that is indexed all the same. */
export interface DocumentProblem {
  /** In the file, from 1. */
  readonly line: number;
  readonly reason: string;
}

/** A document with all its sections, ready to be indexed. */
export interface IndexedDocument {
  readonly facts: DocumentFacts;
  /** Of the bytes and of everything else that shapes the sections. */
  readonly hash: string;
  readonly bytes: number;
  /** As written, so that nothing needs re-reading when a later version wants more of it. */
  readonly frontMatter: Readonly<Record<string, unknown>>;
  readonly sections: readonly Section[];
  readonly graph: DocumentGraph;
  /** What was left out of it that somebody should mend. */
  readonly problems: readonly DocumentProblem[];
  /** What a model made of each section, in their order, packed; set by what stands round a writer with a model. */
  readonly vectors?: readonly Uint8Array[];
}
