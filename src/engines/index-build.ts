import type { EmbedderChoice } from './models/embedding/embedder-named.js';
import { ReaderThread } from './sqlite/reader-thread.js';
import type { ReaderTask } from './sqlite/reader-ports.js';
import { BackendUnavailableError } from '../core/errors.js';

/** An index run that goes on while the server answers. */
export interface IndexBuild {
  /** The error to report instead of this failure to read the index; null if the run does not explain it. */
  explain(error: BackendUnavailableError): BackendUnavailableError | null;
}

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
