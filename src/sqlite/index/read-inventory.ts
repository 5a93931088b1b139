import type { CorpusDeclaration } from '../../core/corpus-declaration.js';
import type { TaxonomyKey } from '../../core/corpus-facts.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { IndexStamp } from '../../core/ports/index-facts.js';
import { text } from '../driver.js';
import { readIndexOnce } from '../index-file.js';
import { readDeclaration, readTaxonomy } from './read-taxonomy.js';

/** All documents of an index without texts, for its operator; the server's scope does not apply. */
export interface Inventory extends IndexStamp {
  readonly sections: number;
  readonly hasVectors: boolean;
  readonly declaration: CorpusDeclaration;
  readonly taxonomy: readonly TaxonomyKey[];
  /** By path. */
  readonly documents: readonly { readonly path: string; readonly title: string }[];
}

/** Reads the inventory of an index. @throws BackendUnavailableError `index_missing` or `index_incompatible` */
export function readInventory(path: string, profile: EmbedderProfile): Inventory {
  return readIndexOnce(path, profile, (database, { sectionCount, profile: _, ...stamp }) => {
    const { projectId, environment } = stamp;
    const everything = {
      projectId,
      environment,
      docTags: null,
      repositories: null,
      groups: null,
      seenLists: null,
    };
    const declaration = readDeclaration(database);
    const rows = database.prepare('SELECT path, title FROM document ORDER BY path').all();
    return {
      ...stamp,
      sections: sectionCount,
      hasVectors: database.prepare('SELECT 1 FROM section_vector LIMIT 1').get() !== undefined,
      declaration,
      taxonomy: readTaxonomy(database, everything, declaration.taxonomy),
      documents: rows.map((row) => ({ path: text(row['path']), title: text(row['title']) })),
    };
  });
}

/** The ids of all sections of an index, unordered, for its operator. @throws like `readInventory` */
export function readSectionIds(path: string, profile: EmbedderProfile): string[] {
  return readIndexOnce(path, profile, (database) =>
    database
      .prepare('SELECT section_id FROM section')
      .all()
      .map((row) => text(row['section_id'])),
  );
}
