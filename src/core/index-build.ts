import type { BackendUnavailableError } from './errors.js';

/** An index run that continues while the server answers. */
export interface IndexBuild {
  readonly isRunning: boolean;
  /** The error to report instead of this failure to read the index; null if the run does not explain it. */
  explain(error: BackendUnavailableError): BackendUnavailableError | null;
}
