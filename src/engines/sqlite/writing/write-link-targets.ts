import {
  linkPlacer,
  type PageAnchors,
  type PageLookup,
  type PlacedLink,
} from '../../../ingest/links/place-links.js';
import type { Database } from '../driver.js';
import { headingPathOf } from '../index/stored-sections.js';
import { type Row, text, textOrNull } from '../row-values.js';

const LINKS = `SELECT l.id, d.path, l.href, l.target_document_id, l.target_place_id, l.is_dead
  FROM main.graph_link l JOIN main.document d ON d.id = l.document_id ORDER BY l.id`;
// Later rows replace earlier ones, so in descending order the first of several places with one anchor is used.
const ANCHORS = `SELECT id, anchor FROM main.graph_place
  WHERE document_id = ? AND anchor IS NOT NULL ORDER BY position DESC`;
const IDS = 'SELECT name, place_id FROM main.graph_anchor WHERE document_id = ?';
const FIRST_SECTION = 'SELECT heading_path FROM main.section WHERE document_id = ? ORDER BY ordinal LIMIT 1';

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

/** @param idOf  documents by path */
function pageLookup(database: Database, idOf: ReadonlyMap<string, number>): PageLookup {
  const anchors = database.prepare(ANCHORS);
  const ids = database.prepare(IDS);
  const first = database.prepare(FIRST_SECTION);
  const anchorsOf = (path: string): PageAnchors => {
    const id = idOf.get(path) ?? 0;
    return {
      headings: new Map(anchors.all(id).map((row) => [text(row['anchor']), Number(row['id'])])),
      ids: new Map(ids.all(id).map((row) => [text(row['name']), numberOrNull(row['place_id'])])),
    };
  };
  const titleOf = (path: string): string | null => {
    const row = first.get(idOf.get(path) ?? 0);
    return row === undefined ? null : (headingPathOf(row)[0] ?? '');
  };
  return { anchorsOf, titleOf };
}

function isSame(row: Row, documentId: number | null, { place, isDead }: PlacedLink): boolean {
  return (
    numberOrNull(row['target_document_id']) === documentId &&
    numberOrNull(row['target_place_id']) === place &&
    Boolean(row['is_dead']) === isDead
  );
}

/** Writes the targets of all links, also of earlier runs, because pages and headings may be new or removed. */
export function writeLinkTargets(database: Database, siteUrls: readonly string[]): void {
  const documents = database.prepare('SELECT id, path, title, url FROM main.document ORDER BY path').all();
  const pages = documents.map((row) => ({
    path: text(row['path']),
    title: text(row['title']),
    url: textOrNull(row['url']),
  }));
  const idOf = new Map(documents.map((row) => [text(row['path']), Number(row['id'])]));
  const rows = database.prepare(LINKS).all();
  const links = rows.map((row) => ({ from: text(row['path']), href: text(row['href']), row }));
  const place = linkPlacer({ pages, links, siteUrls }, pageLookup(database, idOf));
  const update = database.prepare(
    'UPDATE main.graph_link SET target_document_id = ?, target_place_id = ?, is_dead = ? WHERE id = ?',
  );
  for (const { row, ...link } of links) {
    const placed = place(link);
    const documentId = placed.path === null ? null : (idOf.get(placed.path) ?? null);
    if (isSame(row, documentId, placed)) continue;
    update.run(documentId, placed.place, Number(placed.isDead), Number(row['id']));
  }
}
