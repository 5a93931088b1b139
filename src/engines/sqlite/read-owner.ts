import { nullIfLost } from '../../core/errors.js';
import type { EmbedderProfile } from '../../core/ports/embedder.port.js';
import type { IndexStamp } from '../../core/ports/section-index.port.js';
import { readIndexOnce } from './index-file.js';

/** The project and environment of an index. */
export type IndexOwner = Pick<IndexStamp, 'projectId' | 'environment'>;

/** Owner of an index; null if the index can't be read. */
export function readOwner(path: string, profile: EmbedderProfile): IndexOwner | null {
  try {
    return readIndexOnce(path, profile, (_, { projectId, environment }) => ({ projectId, environment }));
  } catch (error) {
    return nullIfLost(error);
  }
}
