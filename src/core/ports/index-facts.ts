import type { DocumentCaution, DocumentFacts } from '../section.js';

export interface IndexStamp {
  readonly generation: string;
  readonly projectId: string;
  readonly environment: string;
  /** Time at which this generation was published; ISO-8601, UTC. */
  readonly indexedAt: string;
  /** Names of the repositories that the manifest does not trust, sorted; absent if it trusts all. */
  readonly untrusted?: readonly string[];
  /** The lists of groups that documents have, by `listsKey`; absent if everybody may see all documents. */
  readonly groups?: readonly string[];
}

/** A value, with the number of documents and sections that have it. */
export interface FacetCount {
  readonly value: string;
  readonly documents: number;
  readonly sections: number;
}

/** Facets that are compared with names that people have written; indexes rarely have more. */
export const MAX_FACET_VALUES = 10_000;
export const sortedValues = (counts: readonly FacetCount[]): string[] =>
  counts.map(({ value }) => value).sort();

/** The visible documents that are flagged. */
export interface FlaggedDocuments {
  readonly count: number;
  /** Sorted by path; at most `MAX_FLAGGED`. */
  readonly first: readonly (Pick<DocumentFacts, 'path'> & { readonly caution: DocumentCaution })[];
}

/** Largest number of flagged documents that are listed. */
export const MAX_FLAGGED = 20;

/** Statistics of the visible part of an index. */
export interface IndexFacts extends IndexStamp {
  readonly documents: number;
  readonly sections: number;
  /** Size of the index on disk, in bytes. */
  readonly bytes: number;
  /** By number of sections, descending, then by value; at most `facetLimit`. */
  readonly docTags: readonly FacetCount[];
  readonly repositories: readonly FacetCount[];
  /** Titles of the documents with the most sections; at most `facetLimit`. */
  readonly titles: readonly string[];
  /** Absent if no visible document is flagged. */
  readonly flagged?: FlaggedDocuments;
}
