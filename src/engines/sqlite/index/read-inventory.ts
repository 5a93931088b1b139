import type { CorpusDeclaration } from '../../../core/corpus-declaration.js';
import type { TaxonomyKey } from '../../../core/corpus-facts.js';
import type { EmbedderProfile } from '../../../core/ports/embedder.port.js';
import type { IndexStamp } from '../../../core/ports/section-index.port.js';
import { IndexFile } from '../index-file.js';
import { readDeclaration, readTaxonomy } from './read-taxonomy.js';
import { text } from './stored-sections.js';

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
  const file = new IndexFile(path, profile);
  try {
    return file.read(null, (database, { sectionCount, ...stamp }) => {
      const { projectId, environment } = stamp;
      const everything = { projectId, environment, docTags: null, repositories: null };
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
  } finally {
    file.close();
  }
}
