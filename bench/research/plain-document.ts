import { createHash } from 'node:crypto';
import type { IndexedDocument } from '../../src/core/indexed-document.js';
import type { Candidate } from '../../src/core/ports/section-index.port.js';
import { graphOf } from '../../src/ingest/index-document.js';
import { readStructure } from '../../src/ingest/structure/read-units.js';

/** A document of a test collection, without a path. */
export interface PlainDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** All documents of a collection have the same date. */
const UPDATED_AT = '2000-01-01T00:00:00.000Z';

/** Makes a path. Paths are searched too, so it must not contain a word of a document or question. */
const pathOf = (position: number): string => `pithevaldocument${position}`;

/** Reverses `pathOf`. */
export function positionOf(path: string): number {
  return Number(path.slice(pathOf(0).length - 1));
}

/** Converts a document to a search result of one section. @param position  in its collection, from 0 */
export function asCandidate({ title, text }: PlainDocument, position: number): Candidate {
  const path = pathOf(position);
  return {
    section: {
      ...{ id: path, ordinal: 0, title, headingPath: [title], anchor: null, level: 1, text },
      structure: readStructure(text),
    },
    document: {
      path,
      title,
      trail: [],
      docTag: 'eval',
      repository: 'eval',
      updatedAt: UPDATED_AT,
      url: null,
      metadata: {},
    },
    score: 0,
    lexical: 0,
    vector: null,
    shares: {},
  };
}

export function asIndexed(document: PlainDocument, position: number): IndexedDocument {
  const { section, document: facts } = asCandidate(document, position);
  const heading = { id: section.id, title: section.title, level: 1, anchor: null, parent: null };
  return {
    facts,
    hash: createHash('sha256')
      .update(JSON.stringify([document.title, document.text]))
      .digest('base64url'),
    bytes: Buffer.byteLength(document.text),
    frontMatter: {},
    sections: [section],
    graph: graphOf([{ ...heading, sections: [0] }], [section]),
    problems: [],
  };
}
