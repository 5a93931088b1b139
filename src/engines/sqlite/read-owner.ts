import { nullIfLost } from '../../core/errors.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { IndexStamp } from '../../core/ports/section-index.port.js';
import { IndexFile } from './index-file.js';

/** The project and environment of an index. */
export type IndexOwner = Pick<IndexStamp, 'projectId' | 'environment'>;

/** Owner of an index; null if the index can't be read. */
export function readOwner(path: string, profile: EmbedderProfile): IndexOwner | null {
  const file = new IndexFile(path, profile);
  try {
    return file.read(null, (_, { projectId, environment }) => ({ projectId, environment }));
  } catch (error) {
    return nullIfLost(error);
  } finally {
    file.close();
  }
}
