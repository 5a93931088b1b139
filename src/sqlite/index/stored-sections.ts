import { readListsKey } from '../../core/document-groups.js';
import type { StoredSection } from '../../core/ports/section-index.port.js';
import type { SeenScope } from '../../core/scope.js';
import type { DocumentCaution, DocumentFacts } from '../../core/section.js';
import { decodePath, encodedId } from '../../core/section-id.js';
import { type Database, type Row, storedJson, text, textOrNull } from '../driver.js';
import { visibleRows, where } from './find-rows.js';

/** The columns of a document `d` that `toDocument` reads. */
export const DOCUMENT_COLUMNS =
  'd.path, d.title AS document_title, d.trail, d.doc_tag, d.repository, d.updated_at, d.url, d.metadata, d.caution, d.artifact, d.allow';

/** Selects documents in the form that `toDocument` reads. */
export const DOCUMENT_SQL = `SELECT ${DOCUMENT_COLUMNS} FROM document d`;

export const STORED_SQL = `SELECT s.section_id, s.ordinal, s.title, s.heading_path, s.anchor, s.level, s.text, s.structure,
    ${DOCUMENT_COLUMNS}
  FROM section s CROSS JOIN document d ON d.id = s.document_id`;

/** Reads one section by its row. */
export const SECTION_BY_ROW = `${STORED_SQL} WHERE s.id = ?`;

function textsOf(stored: string): readonly string[] {
  const texts = storedJson(stored);
  return Array.isArray(texts) ? texts.map(String) : [];
}

/** Parses the stored headings of a section's row. */
export function readHeadingPath(row: Row): readonly string[] {
  return textsOf(text(row['heading_path']));
}

/** Parses the stored titles above a document's row. */
export function readTrail(row: Row): readonly string[] {
  return textsOf(text(row['trail']));
}

function readMetadata(row: Row): Readonly<Record<string, string>> {
  const stored = storedJson(row['metadata']);
  const pairs = typeof stored === 'object' && stored !== null ? Object.entries(stored) : [];
  return Object.fromEntries(pairs.map(([key, value]) => [key, String(value)]));
}

/** @returns undefined for most documents */
function readCaution(row: Row): DocumentCaution | undefined {
  const stored = textOrNull(row['caution']);
  // Written by `stageDocuments` under the same schema version.
  return stored === null ? undefined : (storedJson(stored) as DocumentCaution);
}

/** @returns nothing for a document that everybody may see */
export function readAllow(row: Row): Pick<DocumentFacts, 'allow'> {
  const allow = text(row['allow']);
  return allow === '' ? {} : { allow: readListsKey(allow) };
}

/** A document from a row of `DOCUMENT_SQL` or `STORED_SQL`. */
export function toDocument(row: Row): DocumentFacts {
  const caution = readCaution(row);
  const artifact = textOrNull(row['artifact']);
  return {
    path: text(row['path']),
    title: text(row['document_title']),
    trail: readTrail(row),
    docTag: text(row['doc_tag']),
    repository: text(row['repository']),
    updatedAt: text(row['updated_at']),
    url: textOrNull(row['url']),
    metadata: readMetadata(row),
    ...(caution ? { caution } : {}),
    ...(artifact === null ? {} : { artifact }),
    ...readAllow(row),
  };
}

/** A section and its document from a row of `STORED_SQL`. */
export function toStored(row: Row): StoredSection {
  return {
    section: {
      id: text(row['section_id']),
      ordinal: Number(row['ordinal']),
      title: text(row['title']),
      headingPath: readHeadingPath(row),
      anchor: textOrNull(row['anchor']),
      level: Number(row['level']),
      text: text(row['text']),
      structure: text(row['structure']),
    },
    document: toDocument(row),
  };
}

/** Visible sections by id, or by the path of their document, in the requested order. */
export function selectSections(
  database: Database,
  scope: SeenScope,
  ids: readonly string[],
): StoredSection[] {
  const { conditions, values } = visibleRows(scope);
  const byId = database.prepare(`${STORED_SQL} ${where(['s.section_id = ?', ...conditions])}`);
  const byPath = database.prepare(
    `${STORED_SQL} ${where(['d.path = ?', ...conditions])} ORDER BY s.ordinal LIMIT 1`,
  );
  const rows = [...new Set(ids)].flatMap(
    (id) =>
      byId.get(id, ...values) ??
      byId.get(encodedId(id), ...values) ??
      byPath.get(id, ...values) ??
      byPath.get(decodePath(id), ...values) ??
      [],
  );
  return [...new Map(rows.map((row) => [text(row['section_id']), toStored(row)])).values()];
}
