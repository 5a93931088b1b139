import { createHash } from 'node:crypto';
import { graphOf } from '../../ingest/document-graph.js';
import type { IndexedDocument } from '../../core/indexed-document.js';
import type { Candidate } from '../../core/ports/section-index.port.js';

/** A document of a test collection: it has no place in a folder. */
export interface PlainDocument {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/** Whoever they are taken for, the documents of one collection are of one age. */
const UPDATED_AT = '2000-01-01T00:00:00.000Z';

/** A path that is searched like any other, and so must hold no word that a document or a question may hold. */
const pathOf = (position: number): string => `pithevaldocument${position}`;

/** What position a document had, from the path that it got. */
export function positionOf(path: string): number {
  return Number(path.slice(pathOf(0).length - 1));
}

/** A document as one section, as a search finds it. @param position  from 0, within its collection */
export function asCandidate({ title, text }: PlainDocument, position: number): Candidate {
  const path = pathOf(position);
  return {
    section: { id: path, ordinal: 0, title, headingPath: [title], anchor: null, level: 1, text },
    document: {
      path,
      title,
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

/** The same, as it is indexed. */
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
