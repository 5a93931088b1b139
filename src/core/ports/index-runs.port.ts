import type { IndexedManifest, IndexSource } from './index-source.js';
import type { PublishReport } from './index-writer.port.js';

/** How far an index run is, in words and numbers. */
export interface IndexRunProgress {
  /** The present step, such as `indexing`. */
  readonly verb: string;
  /** The unit of `done` and `total`, such as `files`. */
  readonly noun: string;
  readonly done: number;
  readonly total: number;
}

/** A message about one file or folder. */
interface FileNote {
  readonly path: string;
  readonly reason: string;
}

/** The report of an index run, as `pith index --json` prints it. */
export interface IndexRunReport extends PublishReport {
  readonly seconds: number;
  /** Files that were read and split into sections. */
  readonly parsed: number;
  readonly unchanged: number;
  /** Files that an earlier, unfinished run had already prepared. */
  readonly resumed: number;
  /** Number of files and folders that .gitignore or .ignore excludes. */
  readonly ignored: number;
  readonly skipped: readonly FileNote[];
  readonly remarks: readonly FileNote[];
  /** Files in unsupported formats, by extension. */
  readonly unread: readonly {
    readonly extension: string;
    readonly files: number;
    readonly advice: string | null;
  }[];
}

export interface IndexRequest {
  /** Absolute real path. */
  readonly folder: string;
  /** The manifest that the folder is a temporary copy of; null if the folder itself is the source. */
  readonly origin: IndexedManifest | null;
  /** A file with the settings of `.pith.yaml`, to use instead of one in the folder. Default: that one. */
  readonly settingsFile?: string;
  /** The owner of the index; '' for that of the folder. */
  readonly project: string;
  readonly environment: string;
}

export interface IndexRunWatch {
  /** Stops the run. The next run continues from there. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: IndexRunProgress) => void;
}

/** Index runs beside the server, which answers meanwhile. */
export abstract class IndexRuns {
  /** True while this server indexes. */
  abstract readonly isRunning: boolean;
  /** Since when the documents could not be indexed again, as an ISO date; null if the last run succeeded. */
  abstract readonly failingSince: string | null;
  /** Indexes a folder into the index of the server. @throws BackendUnavailableError, also `index_busy`; InvalidArgumentError */
  abstract run(request: IndexRequest, watch: IndexRunWatch): Promise<IndexRunReport>;
  /** The source of the index; null if it is not known. */
  abstract source(): Promise<IndexSource | null>;
  /** Stops the runs of this server. */
  abstract close(): Promise<void>;
}
