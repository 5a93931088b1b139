import type { BackendUnavailableError } from '../errors.js';

/** Injects the index run that the server was started with; null if there is none. */
export const INDEX_BUILD = 'INDEX_BUILD';

/** Sources that send word when they have changed. */
export interface SourceHooks {
  /** The secret that signs the messages about a source; null for one that sends none. */
  secretFor(name: string): string | null;
  /** Brings a source up to date soon. While it is being updated, one more update waits, and further messages add none. */
  update(name: string): void;
}

/** An index run that continues while the server answers. */
export interface IndexBuild {
  readonly isRunning: boolean;
  /** Time of the first of the runs that failed since the last success, as an ISO date; null after a success. */
  readonly failingSince: string | null;
  /** The error to report instead of this failure to read the index; null if the run does not explain it. */
  explain(error: BackendUnavailableError): BackendUnavailableError | null;
  /** Null if no source of the index sends messages. */
  readonly hooks?: SourceHooks | null;
}
