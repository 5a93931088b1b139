import type { Config } from '../config/config.js';
import { nullIfLost } from '../core/errors.js';
import type { IndexBuild } from '../core/ports/index-build.js';
import {
  type IndexRequest,
  type IndexRunReport,
  IndexRuns,
  type IndexRunWatch,
} from '../core/ports/index-runs.port.js';
import { type IndexSource, readSourceLine } from '../core/ports/index-source.js';
import { IndexProcesses } from '../ingest/runs/index-processes.js';
import { readRoot } from '../sqlite/index-file.js';
import { configuredEmbedder } from './open-models.js';

/** Runs `pith index` in processes, with the settings of this server. */
export class ForkedIndexRuns extends IndexRuns {
  private readonly processes = new IndexProcesses();

  /** @param build  the run that the server was started with */
  constructor(
    private readonly config: Config,
    private readonly build: IndexBuild | null,
  ) {
    super();
  }

  get isRunning(): boolean {
    return this.processes.isRunning || this.build?.isRunning === true;
  }

  get failingSince(): string | null {
    return this.build?.failingSince ?? null;
  }

  run(request: IndexRequest, watch: IndexRunWatch): Promise<IndexRunReport> {
    const { file, overrides: settings } = this.config.index;
    return this.processes.run({ file, settings }, request, watch);
  }

  async source(): Promise<IndexSource | null> {
    try {
      const root = readRoot(this.config.index.file, configuredEmbedder(this.config).profile);
      return root === null ? null : readSourceLine(root);
    } catch (error) {
      return nullIfLost(error);
    }
  }

  close(): Promise<void> {
    return this.processes.close();
  }
}
