import { type FlaggedDocuments, MAX_FLAGGED } from '../../core/ports/index-facts.js';
import type {
  OfferedDocuments,
  SectionNeighbours,
  StoredSection,
} from '../../core/ports/section-index.port.js';
import type { SeenScope } from '../../core/scope.js';
import type { DocumentFacts } from '../../core/section.js';
import { decodePath } from '../../core/section-id.js';
import type { Database } from '../driver.js';
import { visibleRows, where } from './find-rows.js';
import {
  DOCUMENT_COLUMNS,
  DOCUMENT_SQL,
  selectSections,
  STORED_SQL,
  toDocument,
  toStored,
} from './stored-sections.js';

// Not EXISTS: with it, SQLite counts rows that fail the condition towards OFFSET.
const HAS_TEXT = 'd.id IN (SELECT document_id FROM section)';
const CHOSEN = 'd.id IN (SELECT document_id FROM document_resource)';
const TEXT_BYTES = 'SELECT sum(octet_length(text)) FROM section WHERE document_id = d.id';

/** A visible section with its neighbours; null if there is none. */
export function selectNeighbours(
  database: Database,
  scope: SeenScope,
  { id, context }: { readonly id: string; readonly context: number },
): Omit<SectionNeighbours, 'generation'> | null {
  const [found] = selectSections(database, scope, [id]);
  if (!found) return null;
  const { document, section } = found;
  const own = '(SELECT id FROM document WHERE path = ?)';
  // Ordinals count from 0 without gaps, and either all sections of a document are visible or none.
  const rows = database
    .prepare(`${STORED_SQL} WHERE s.document_id = ${own} AND s.ordinal BETWEEN ? AND ? ORDER BY s.ordinal`)
    .all(document.path, section.ordinal - context, section.ordinal + context);
  const total = database
    .prepare(`SELECT count(*) AS n FROM section WHERE document_id = ${own}`)
    .get(document.path)?.['n'];
  const sections = rows.map((row) => {
    const neighbour = toStored(row).section;
    return { section: neighbour, position: neighbour.ordinal + 1 };
  });
  const target = sections.findIndex(({ position }) => position === section.ordinal + 1);
  return { document, sections, total: Number(total), target };
}

/** A page of the visible documents with text, by path. */
export function selectListed(
  database: Database,
  scope: SeenScope,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): DocumentFacts[] {
  const { conditions, values } = visibleRows(scope);
  return database
    .prepare(`${DOCUMENT_SQL} ${where([HAS_TEXT, ...conditions])} ORDER BY d.path LIMIT ? OFFSET ?`)
    .all(...values, limit, offset)
    .map(toDocument);
}

/** A page of the documents that are offered as resources. */
export interface OfferedPage {
  /** True if the manifest chooses the documents that are resources. */
  readonly isChosen: boolean;
  readonly after: string | null;
  readonly limit: number;
}

/** Visible documents that are offered as resources, by path. */
export function selectOffered(
  database: Database,
  scope: SeenScope,
  { isChosen, after, limit }: OfferedPage,
): Omit<OfferedDocuments, 'generation'> {
  const { conditions, values } = visibleRows(scope);
  const offered = where([isChosen ? CHOSEN : HAS_TEXT, 'd.path > ?', ...conditions]);
  const rows = database
    .prepare(
      `SELECT ${DOCUMENT_COLUMNS}, (${TEXT_BYTES}) AS text_bytes FROM document d ${offered} ORDER BY d.path LIMIT ?`,
    )
    .all(after ?? '', ...values, limit);
  return { documents: rows.map(toDocument), textBytes: rows.map((row) => Number(row['text_bytes'])) };
}

/** The visible documents with text that are flagged; undefined if there are none. */
export function selectFlagged(database: Database, scope: SeenScope): FlaggedDocuments | undefined {
  const { conditions, values } = visibleRows(scope);
  const flagged = where(['d.caution IS NOT NULL', HAS_TEXT, ...conditions]);
  const count = database.prepare(`SELECT count(*) AS n FROM document d ${flagged}`).get(...values)?.['n'];
  if (Number(count) === 0) return undefined;
  const rows = database
    .prepare(`${DOCUMENT_SQL} ${flagged} ORDER BY d.path LIMIT ${MAX_FLAGGED}`)
    .all(...values);
  const first = rows.map(toDocument).flatMap(({ path, caution }) => (caution ? [{ path, caution }] : []));
  return { count: Number(count), first };
}

/** All sections of a visible resource in reading order; null if there is none. */
export function selectWhole(
  database: Database,
  scope: SeenScope,
  { isChosen, path }: { readonly isChosen: boolean; readonly path: string },
): StoredSection[] | null {
  const { conditions, values } = visibleRows(scope);
  const read = database.prepare(
    `${STORED_SQL} ${where(['d.path = ?', ...(isChosen ? [CHOSEN] : []), ...conditions])} ORDER BY s.ordinal`,
  );
  for (const spelling of new Set([path, decodePath(path)])) {
    const rows = read.all(spelling, ...values);
    if (rows.length > 0) return rows.map(toStored);
  }
  return null;
}
