import { BackendUnavailableError } from '../../core/errors.js';
import type { IndexBuild } from '../../core/index-build.js';
import type { EmbedderChoice } from '../models/embedding/embedder-named.js';
import type { ReaderTask } from './reader-ports.js';
import { ReaderThread } from './reader-thread.js';

/** Failures that the run will end: no index yet, or one of another version. */
const CURABLE = ['index_missing', 'index_incompatible'];

/** Reads the index. While the index is still being built, failures report the progress of the run. */
export class BuildingReaderThread extends ReaderThread {
  constructor(
    file: string,
    embedder: EmbedderChoice,
    private readonly build: IndexBuild,
  ) {
    super(file, embedder);
  }

  override async ask(task: ReaderTask): Promise<unknown> {
    try {
      return await super.ask(task);
    } catch (error) {
      const isCurable = error instanceof BackendUnavailableError && CURABLE.includes(error.reason);
      throw (isCurable ? this.build.explain(error) : null) ?? error;
    }
  }
}
