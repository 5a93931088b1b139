import type { EmbedderProfile } from '../../../core/ports/embedder.port.js';
import { IndexFile } from '../index-file.js';
import { text } from './stored-sections.js';

/**
 * The ids of all sections of an index, unordered, for its operator; the server's scope does not apply.
 * @throws BackendUnavailableError `index_missing` or `index_incompatible`
 */
export function readSectionIds(path: string, profile: EmbedderProfile): string[] {
  const file = new IndexFile(path, profile);
  try {
    return file.read(null, (database) =>
      database
        .prepare('SELECT section_id FROM section')
        .all()
        .map((row) => text(row['section_id'])),
    );
  } finally {
    file.close();
  }
}
