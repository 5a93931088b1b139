import { createHash } from 'node:crypto';
import { type GroupLists, listsKey, listsName } from '../../core/document-groups.js';
import type { StoredSection } from '../../core/ports/section-index.port.js';
import type { DocumentCaution, DocumentFacts } from '../../core/section.js';
import type { BuiltDocument, BuiltSection } from '../../ingest/built-index.js';
import { unpackVector } from '../../sqlite/latent/packed-vector.js';
import { pointId } from './names.js';
import { lengthOf, type SparseVector, weighSection } from './search/sparse-terms.js';

/** Increase it when the content of points changes; then all points are written again. */
export const POINTS_VERSION = 7;

/** A point in Qdrant's format. */
export interface Point {
  readonly id: string;
  readonly vector: Record<string, number[] | SparseVector>;
  readonly payload: Record<string, unknown>;
}

type Payload = Readonly<Record<string, unknown>> | null | undefined;

/** The folders that contain a path, outermost first, each with its slash. */
function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, depth) => `${parts.slice(0, depth + 1).join('/')}/`);
}

/** Encodes two texts as one keyword: a key and its value, or an acronym and its long form. */
export function pairWord(first: string, second: string): string {
  return JSON.stringify([first, second]);
}

/** Reverses `pairWord`. */
export function readPair(word: string): [string, string] {
  return pairOf(JSON.parse(word));
}

function documentPayload(facts: DocumentFacts): Record<string, unknown> {
  const { path, title, trail, docTag, repository, updatedAt, url, metadata, caution, artifact, allow } =
    facts;
  const folders = foldersOf(path);
  const facets = Object.entries(metadata).map(([key, value]) => pairWord(key, value));
  return {
    path,
    document_title: title,
    trail,
    doc_tag: docTag,
    repository,
    allow: listsName(listsKey(allow ?? [])),
    ...(allow ? { allow_lists: allow } : {}),
    updated_at: updatedAt,
    url,
    metadata: Object.entries(metadata),
    ...(caution ? { caution: JSON.stringify(caution) } : {}),
    ...(artifact === undefined ? {} : { artifact }),
    ...(folders.length > 0 ? { folders } : {}),
    ...(facets.length > 0 ? { facets } : {}),
  };
}

/** The values that all points of a collection depend on. */
export interface PointMaking {
  /** Average number of terms in a section, rounded by `roundedAverage`. */
  readonly averageLength: number;
  /** Components of a dense vector; 0 without vectors. */
  readonly dimensions: number;
}

/** Appends zeros: the space of a small corpus has fewer dimensions than its embedder allows. */
export function padVector(vector: Float32Array, dimensions: number): number[] {
  return [...vector, ...Array.from({ length: dimensions - vector.length }, () => 0)];
}

function sectionPoint(
  built: BuiltSection,
  { facts, sections }: BuiltDocument,
  { averageLength, dimensions }: PointMaking,
): Point {
  const { id, headingPath, ...rest } = built.section;
  const own = { section_id: id, heading_path: headingPath, ...rest };
  const acronyms = built.acronyms.map(({ short, long }) => pairWord(short, long));
  const shorts = [...new Set(built.acronyms.map(({ short }) => short))];
  const terms = built.terms();
  return {
    id: pointId('section', id),
    vector: {
      bm25: weighSection(terms, averageLength),
      ...(built.vector && dimensions > 0 ? { dense: padVector(unpackVector(built.vector), dimensions) } : {}),
    },
    payload: {
      kind: 'section',
      ...documentPayload(facts),
      ...own,
      document_sections: sections.length,
      terms: lengthOf(terms),
      ...(acronyms.length > 0 ? { acronyms, acronym_shorts: shorts } : {}),
    },
  };
}

/** The points of a document's sections. */
export function sectionPoints(document: BuiltDocument, making: PointMaking): Point[] {
  return document.sections.map((section) => sectionPoint(section, document, making));
}

/** The point of a document. @param digest  empty while the sections are being written */
export function documentPoint(document: BuiltDocument, digest: string): Point {
  const { facts, isOffered, sections } = document;
  return {
    id: pointId('document', facts.path),
    vector: {},
    payload: {
      kind: sections.length > 0 ? 'document' : 'empty',
      ...documentPayload(facts),
      facet_keys: Object.keys(facts.metadata),
      ...(isOffered ? { offered: facts.path } : {}),
      ...(facts.caution ? { flagged: facts.path } : {}),
      digest,
    },
  };
}

/** The hash of everything that the points of a document depend on. */
export function digestOf({ facts, hash, isOffered, sections }: BuiltDocument, making: PointMaking): string {
  const digest = createHash('sha256');
  const ids = sections.map(({ section }) => section.id);
  digest.update(JSON.stringify([POINTS_VERSION, making, facts, hash, isOffered, ids]));
  for (const { vector } of sections) digest.update(vector ?? '-');
  return digest.digest('base64url');
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function pairOf(pair: unknown): [string, string] {
  const [key, value] = list(pair);
  return [text(key), text(value)];
}

function payloadCaution(payload: Payload): DocumentCaution | undefined {
  const stored = textOrNull(payload?.['caution']);
  // Written by `documentPayload` under the same version of points.
  return stored === null ? undefined : (JSON.parse(stored) as DocumentCaution);
}

/** A document from the payload of its point or of one of its sections. */
export function payloadDocument(payload: Payload): DocumentFacts {
  const caution = payloadCaution(payload);
  const artifact = textOrNull(payload?.['artifact']);
  // Written by `documentPayload`.
  const lists = payload?.['allow_lists'] as GroupLists | undefined;
  return {
    path: text(payload?.['path']),
    title: text(payload?.['document_title']),
    trail: list(payload?.['trail']).map(text),
    docTag: text(payload?.['doc_tag']),
    repository: text(payload?.['repository']),
    updatedAt: text(payload?.['updated_at']),
    url: textOrNull(payload?.['url']),
    metadata: Object.fromEntries(list(payload?.['metadata']).map(pairOf)),
    ...(caution ? { caution } : {}),
    ...(artifact === null ? {} : { artifact }),
    ...(lists ? { allow: lists } : {}),
  };
}

/** A section and its document from the payload of its point. */
export function payloadSection(payload: Payload): StoredSection {
  return {
    section: {
      id: text(payload?.['section_id']),
      ordinal: Number(payload?.['ordinal']),
      title: text(payload?.['title']),
      headingPath: list(payload?.['heading_path']).map(text),
      anchor: textOrNull(payload?.['anchor']),
      level: Number(payload?.['level']),
      text: text(payload?.['text']),
      structure: text(payload?.['structure']),
    },
    document: payloadDocument(payload),
  };
}
