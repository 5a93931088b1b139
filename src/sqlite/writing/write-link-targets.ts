import { pageNames } from '../../ingest/links/page-names.js';
import type { LinkedPage } from '../../ingest/links/page-table.js';
import {
  guessSites,
  type LabelPlace,
  linkPlacer,
  type PageAnchors,
  type PageLookup,
  type PlacedLink,
} from '../../ingest/links/place-links.js';
import { type Database, type Row, storedJson, text, textOrNull } from '../driver.js';
import { readHeadingPath } from '../index/stored-sections.js';
import { GONE_DOCUMENTS } from './write-graph.js';

const MOVED_PAGES = `SELECT d.path, d.title, d.url, d.front_matter FROM stage.document t CROSS JOIN main.document d ON d.path = t.path`;
const MOVED_LINKS = `SELECT l.id, d.path, l.href FROM stage.document t CROSS JOIN main.document d ON d.path = t.path
  CROSS JOIN main.graph_link l ON l.document_id = d.id`;
/** May be absolute: more than `siteAddress` accepts, and quicker. */
const ABSOLUTE = "(href LIKE 'http%' OR href LIKE '//%')";

/** Before old rows are removed: the pages and absolute links that go, and the links of other documents that lead to them. */
export const LINK_CHANGES = `
  DROP TABLE IF EXISTS temp.gone_page; DROP TABLE IF EXISTS temp.gone_site_link; DROP TABLE IF EXISTS temp.loose_link;
  CREATE TEMP TABLE gone_page AS SELECT path, title, url, front_matter FROM main.document WHERE id IN (${GONE_DOCUMENTS});
  CREATE TEMP TABLE gone_site_link AS SELECT d.path, l.href
    FROM main.graph_link l JOIN main.document d ON d.id = l.document_id
    WHERE l.document_id IN (${GONE_DOCUMENTS}) AND ${ABSOLUTE};
  CREATE TEMP TABLE loose_link AS SELECT id FROM main.graph_link WHERE target_document_id IN (${GONE_DOCUMENTS});
`;

const differ = (one: string, other: string): string =>
  `SELECT * FROM (${one} EXCEPT ${other}) UNION ALL SELECT * FROM (${other} EXCEPT ${one}) LIMIT 1`;
const OTHER_PAGES = differ('SELECT path, title, url, front_matter FROM temp.gone_page', MOVED_PAGES);
const OTHER_SITE_LINKS = differ(
  'SELECT path, href FROM temp.gone_site_link',
  `SELECT path, href FROM (${MOVED_LINKS}) WHERE ${ABSOLUTE}`,
);

const LINKS = `SELECT l.id, d.path, l.href, l.target_document_id, l.target_place_id, l.is_dead
  FROM main.graph_link l JOIN main.document d ON d.id = l.document_id`;
const CHANGED = `l.id IN (SELECT id FROM temp.loose_link UNION SELECT id FROM (${MOVED_LINKS}))`;
/** Labels of pages of this run, which links of any page may name that are dead or lead to no page. */
const MOVED_LABELS = `SELECT 1 FROM stage.document t CROSS JOIN main.document d ON d.path = t.path
  CROSS JOIN main.graph_anchor a ON a.document_id = d.id WHERE a.name GLOB '(*)=' LIMIT 1`;
const LINKS_AT_A_TIME = 10_000;
// Later rows replace earlier ones, so in descending order the first of several places with one anchor is used.
const ANCHORS = `SELECT id, anchor FROM main.graph_place
  WHERE document_id = ? AND anchor IS NOT NULL ORDER BY position DESC`;
const IDS = 'SELECT name, place_id FROM main.graph_anchor WHERE document_id = ?';
// In descending order, the first of several pages with one label is used.
const LABELS = `SELECT a.name, a.place_id, d.path FROM main.graph_anchor a JOIN main.document d ON d.id = a.document_id
  WHERE a.name GLOB '(*)=' ORDER BY d.path DESC`;
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
    return row === undefined ? null : (readHeadingPath(row)[0] ?? '');
  };
  let found: ReadonlyMap<string, LabelPlace> | undefined;
  const readLabels = (): ReadonlyMap<string, LabelPlace> => {
    const rows = database.prepare(LABELS).all();
    return new Map(
      rows.map((row) => [
        text(row['name']),
        { path: text(row['path']), place: numberOrNull(row['place_id']) },
      ]),
    );
  };
  return { anchorsOf, titleOf, labels: () => (found ??= readLabels()) };
}

function isSame(row: Row, documentId: number | null, { place, isDead }: PlacedLink): boolean {
  return (
    numberOrNull(row['target_document_id']) === documentId &&
    numberOrNull(row['target_place_id']) === place &&
    Boolean(row['is_dead']) === isDead
  );
}

function readPages(database: Database): (LinkedPage & { readonly id: number })[] {
  return database
    .prepare('SELECT id, path, title, url, front_matter FROM main.document ORDER BY path')
    .all()
    .map((row) => ({
      id: Number(row['id']),
      path: text(row['path']),
      title: text(row['title']),
      url: textOrNull(row['url']),
      names: pageNames(storedJson(row['front_matter'])),
    }));
}

/** The sites that the last run guessed, if a new guess would have the same pages and links; otherwise null. */
function knownSites(database: Database, siteUrls: readonly string[]): string[] | null {
  const isAny = (sql: string): boolean => database.prepare(sql).get() !== undefined;
  const stored = database.prepare("SELECT value FROM main.meta WHERE key = 'links'").get()?.['value'];
  if (stored === undefined || isAny(OTHER_PAGES) || isAny(OTHER_SITE_LINKS)) return null;
  const last = storedJson(stored) as { readonly siteUrls: string[]; readonly guessedSites: string[] };
  return JSON.stringify(last.siteUrls) === JSON.stringify(siteUrls) ? last.guessedSites : null;
}

/** Links with the paths of their pages, in the order of their ids; they may be changed meanwhile. */
function* pageLinks(database: Database, condition: string) {
  const read = database.prepare(
    `${LINKS} WHERE ${condition} AND l.id > ? ORDER BY l.id LIMIT ${LINKS_AT_A_TIME}`,
  );
  for (let rows = read.all(0); rows.length > 0; rows = read.all(Number(rows.at(-1)?.['id'])))
    for (const row of rows) yield { from: text(row['path']), href: text(row['href']), row };
}

/**
 * Writes the targets of links. If pages came or went, any link may have another target; otherwise only those of this run's
 * documents and those that lead to one of them.
 */
export function writeLinkTargets(database: Database, siteUrls: readonly string[]): void {
  const pages = readPages(database);
  const idOf = new Map(pages.map(({ path, id }) => [path, id]));
  const known = knownSites(database, siteUrls);
  const guessedSites = known ?? guessSites(pageLinks(database, ABSOLUTE), pages);
  const place = linkPlacer({ pages, siteUrls, guessedSites }, pageLookup(database, idOf));
  const update = database.prepare(
    'UPDATE main.graph_link SET target_document_id = ?, target_place_id = ?, is_dead = ? WHERE id = ?',
  );
  const mayRevive = database.prepare(MOVED_LABELS).get() !== undefined;
  const loose = `l.is_dead > 0 OR (l.target_document_id IS NULL AND NOT ${ABSOLUTE})`;
  const changed = mayRevive ? `(${CHANGED} OR ${loose})` : CHANGED;
  for (const { row, ...link } of pageLinks(database, known ? changed : 'true')) {
    const placed = place(link);
    const documentId = placed.path === null ? null : (idOf.get(placed.path) ?? null);
    if (isSame(row, documentId, placed)) continue;
    update.run(documentId, placed.place, Number(placed.isDead), Number(row['id']));
  }
  const put = database.prepare("INSERT OR REPLACE INTO main.meta VALUES ('links', ?)");
  if (!known) put.run(JSON.stringify({ siteUrls, guessedSites }));
}
