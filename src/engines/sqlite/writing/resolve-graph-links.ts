import { anchorFinder, isPageAnchor, isTitleAnchor } from '../../../ingest/links/find-anchor.js';
import { guessSites } from '../../../ingest/links/guess-sites.js';
import { linkResolver } from '../../../ingest/links/resolve-links.js';
import { decodePath } from '../../../core/section-id.js';
import type { LinkResolver } from '../../../ingest/links/resolve-links.js';
import type { Database } from '../driver.js';
import { headingPathOf, text } from '../index/stored-sections.js';
import type { Row } from '../index/stored-sections.js';

const LINKS = `SELECT l.id, d.path, l.href, l.target_document_id, l.target_place_id, l.is_dead
  FROM main.graph_link l JOIN main.document d ON d.id = l.document_id ORDER BY l.id`;

/** Target rows of a link; `isDead` if the target should exist and does not. */
interface Target {
  readonly documentId: number | null;
  readonly placeId: number | null;
  readonly isDead: boolean;
}

const numberOrNull = (value: unknown): number | null => (value === null ? null : Number(value));

/** The place of a fragment: undefined if the page has no such anchor, null if the anchor is outside all places. */
type FoundPlace = number | null | undefined;

/** Finds the place of an anchor, document by document. */
class Anchors {
  private readonly finders = new Map<number, (fragment: string) => FoundPlace>();
  private readonly look;
  private readonly lookForIds;
  private readonly first;

  constructor(database: Database) {
    this.look = database.prepare(
      'SELECT id, anchor FROM main.graph_place WHERE document_id = ? AND anchor IS NOT NULL ORDER BY position DESC',
    );
    this.lookForIds = database.prepare('SELECT name, place_id FROM main.graph_anchor WHERE document_id = ?');
    this.first = database.prepare(
      'SELECT heading_path FROM main.section WHERE document_id = ? ORDER BY ordinal LIMIT 1',
    );
  }

  /** Whether the title of a page is meant, which is no place where nothing stands between it and the next heading. */
  isTitle(documentId: number, fragment: string): boolean {
    const row = this.first.get(documentId);
    return row !== undefined && isTitleAnchor(headingPathOf(row)[0] ?? '', fragment);
  }

  find(documentId: number, fragment: string): FoundPlace {
    const known = this.finders.get(documentId) ?? this.read(documentId);
    this.finders.set(documentId, known);
    return known(fragment);
  }

  private read(documentId: number): (fragment: string) => FoundPlace {
    // The first of several places with one anchor wins; it comes last here.
    const rows = this.look.all(documentId);
    const placeOf = new Map(rows.map((row) => [text(row['anchor']), Number(row['id'])]));
    const ids = this.lookForIds.all(documentId);
    const named = new Map([
      ...ids.map((row) => [text(row['name']), numberOrNull(row['place_id'])] as const),
      ...placeOf,
    ]);
    const find = anchorFinder([...placeOf.keys()]);
    return (fragment) => {
      const exact = [fragment, decodePath(fragment)].find((name) => named.has(name));
      if (exact !== undefined) return named.get(exact);
      const anchor = find(fragment);
      return anchor === null ? undefined : placeOf.get(anchor);
    };
  }
}

function targetOf(
  row: Row,
  resolve: LinkResolver,
  idOf: ReadonlyMap<string, number>,
  anchors: Anchors,
): Target {
  const target = resolve(text(row['path']), text(row['href']));
  if (target.kind !== 'page')
    return { documentId: null, placeId: null, isDead: target.kind === 'unresolved' };
  const documentId = idOf.get(target.path) ?? null;
  if (documentId === null || target.anchor === null) return { documentId, placeId: null, isDead: false };
  const placeId = anchors.find(documentId, target.anchor);
  const isThere =
    placeId !== undefined || isPageAnchor(target.anchor) || anchors.isTitle(documentId, target.anchor);
  return { documentId, placeId: placeId ?? null, isDead: !isThere };
}

function isSame(row: Row, { documentId, placeId, isDead }: Target): boolean {
  return (
    numberOrNull(row['target_document_id']) === documentId &&
    numberOrNull(row['target_place_id']) === placeId &&
    Boolean(row['is_dead']) === isDead
  );
}

/**
 * Resolves all links again, including those of earlier runs, because pages and headings come and go. A link to a
 * missing heading leads to its page.
 */
export function resolveGraphLinks(database: Database, siteUrls: readonly string[]): void {
  const documents = database.prepare('SELECT id, path, title, url FROM main.document ORDER BY path').all();
  const pages = documents.map((row) => ({
    path: text(row['path']),
    title: text(row['title']),
    url: row['url'] === null ? null : text(row['url']),
  }));
  const idOf = new Map(documents.map((row) => [text(row['path']), Number(row['id'])]));
  const links = database.prepare(LINKS).all();
  const written = links.map((row) => ({ from: text(row['path']), href: text(row['href']) }));
  const resolve = linkResolver(pages, siteUrls, guessSites(written, pages));
  const anchors = new Anchors(database);
  const update = database.prepare(
    'UPDATE main.graph_link SET target_document_id = ?, target_place_id = ?, is_dead = ? WHERE id = ?',
  );
  for (const row of links) {
    const target = targetOf(row, resolve, idOf, anchors);
    if (isSame(row, target)) continue;
    update.run(target.documentId, target.placeId, Number(target.isDead), Number(row['id']));
  }
}
