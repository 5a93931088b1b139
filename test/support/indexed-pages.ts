import { openDatabase } from '../../src/sqlite/driver.js';

/** A page of an index, as citations name it. */
export interface IndexedPage {
  readonly path: string;
  readonly title: string;
  /** '' for a file of a folder. */
  readonly url: string;
  readonly version: string | null;
  readonly headings: readonly { readonly title: string; readonly anchor: string | null }[];
}

/** Reads the pages of an index without Pith, by their paths. */
export function indexedPages(file: string): IndexedPage[] {
  const database = openDatabase(file, { timeout: 5_000 });
  try {
    const places = database.prepare(
      'SELECT title, anchor FROM graph_place WHERE document_id = ? ORDER BY position',
    );
    const rows = database.prepare('SELECT id, path, title, url, metadata FROM document ORDER BY path').all();
    return rows.map(({ id, path, title, url, metadata }) => ({
      ...{ path: String(path), title: String(title), url: String(url ?? '') },
      version: (JSON.parse(String(metadata)) as { version?: string }).version ?? null,
      headings: places.all(Number(id)).map((place) => ({
        title: String(place.title),
        anchor: place.anchor === null ? null : String(place.anchor),
      })),
    }));
  } finally {
    database.close();
  }
}
