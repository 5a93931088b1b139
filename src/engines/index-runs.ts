import type { Config } from '../config/config.js';
import { nullIfLost } from '../core/errors.js';
import type { IndexBuild } from '../core/ports/index-build.js';
import { type IndexSource, readSourceLine } from '../core/ports/index-source.js';
import {
  IndexProcesses,
  type IndexRequest,
  type IndexRunReport,
  type IndexRunWatch,
} from '../ingest/runs/index-processes.js';
import { readRoot } from '../sqlite/index-file.js';
import { configuredEmbedder } from './open-models.js';

/** Index runs beside the server, which answers meanwhile: `pith index` in processes, with the settings of this server. */
export class IndexRuns {
  private readonly processes = new IndexProcesses();

  /** @param build  the run that the server was started with */
  constructor(
    private readonly config: Config,
    private readonly build: IndexBuild | null,
  ) {}

  /** True while this server indexes. */
  get isRunning(): boolean {
    return this.processes.isRunning || this.build?.isRunning === true;
  }

  /** Indexes a folder into the index of the server. @throws BackendUnavailableError, also `index_busy`; InvalidArgumentError */
  run(request: IndexRequest, watch: IndexRunWatch): Promise<IndexRunReport> {
    const { file, overrides: settings } = this.config.index;
    return this.processes.run({ file, settings }, request, watch);
  }

  /** The source of the index; null if it is not known. */
  async source(): Promise<IndexSource | null> {
    try {
      const root = readRoot(this.config.index.file, configuredEmbedder(this.config).profile);
      return root === null ? null : readSourceLine(root);
    } catch (error) {
      return nullIfLost(error);
    }
  }

  /** Stops the runs of this server. */
  close(): Promise<void> {
    return this.processes.close();
  }
}
