import type { RunEvent } from '../../governance/ledger/ledger-event.js';
import type { Scope } from '../../core/scope.js';
import type { SchemaRef } from '../schemas/schema-store.port.js';

/** Where a run stands. The last three are final. */
export const RUN_STATUSES = ['created', 'started', 'completed', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

/** Checkpoints of a run that are kept; older ones are removed. */
export const KEPT_CHECKPOINTS = 10;

/** The runs of one project and environment. Nothing else is seen or counted. */
export interface RunProject {
  readonly projectId: string;
  readonly environment: string;
}

/** A run of an agent. Texts of JSON are canonical. */
export interface StoredRun extends RunProject {
  /** Not guessable; letters, digits and `_`. */
  readonly id: string;
  /** The owner. */
  readonly principal: string;
  readonly agent: string;
  /** Scope of the call that created the run; absent in runs of earlier versions. */
  readonly scope?: Scope;
  readonly type: string;
  readonly name: string | null;
  /** JSON; null if none was given. */
  readonly config: string | null;
  /** SHA-256 of the manifest that the run reads; null if none was given. */
  readonly inputManifest: string | null;
  /** The schema that the data of every step has to fit; null for any data. */
  readonly stepSchema: SchemaRef | null;
  readonly status: RunStatus;
  /** Milliseconds since the epoch; null before. */
  readonly createdAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** The time of the last event. */
  readonly changedAt: number;
  /** JSON of the result, the error, or the reason of the cancellation; null if none was given. */
  readonly outcome: string | null;
  /** SHA-256 of the manifest that the run has made; null if none was given. */
  readonly outputManifest: string | null;
  /** Number of events so far, which is the number of the last one. */
  readonly events: number;
  /** Version of the latest checkpoint; 0 for none. */
  readonly checkpoint: number;
}

/** A change of a run, with the event that records it. */
export interface RunChange {
  /** After the change. */
  readonly run: StoredRun;
  /** Null if nothing changes, because the same change was made before. */
  readonly event: RunEvent | null;
  /** JSON to store as the version `run.checkpoint`; absent if the change is not a checkpoint. */
  readonly state?: string;
}

/** The runs that a caller may see. */
export interface RunReader extends RunProject {
  /** Only runs of this principal; null for those of all. */
  readonly principal: string | null;
  /** Also runs of others that were created within this scope. */
  readonly orWithin?: Scope;
}

/** A run that a caller may see. */
export interface RunKey extends RunReader {
  readonly id: string;
}

/** Selects runs of one place. */
export interface RunListQuery extends RunReader {
  readonly status?: RunStatus;
  readonly type?: string;
  /** Only runs that the list shows after this position. */
  readonly after?: number;
  /** At least 1. */
  readonly limit: number;
}

/** A run in a list. */
export interface ListedRun {
  readonly run: StoredRun;
  /** Counts the runs of one place; the newest run has the largest. */
  readonly position: number;
}

/** A stored state of a run. */
export interface RunCheckpoint {
  readonly version: number;
  /** JSON. */
  readonly state: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Who records events of a run, and until when nobody else does (ms since the epoch). */
export interface RecordingClaim {
  readonly by: string;
  readonly now: number;
  readonly until: number;
}

/**
 * Stores the state of runs. Several processes may share one store; each method is atomic among them. The events of a
 * change are stored with it and wait until somebody has recorded them in the run ledger. All methods throw
 * BackendUnavailableError if the store can't be used.
 */
export abstract class RunStore {
  /** Stores a new run and its event. */
  abstract create(run: StoredRun, event: RunEvent): Promise<void>;
  /**
   * Changes a run and stores the event.
   * @param change  pure; gets the run as it is now, and throws if it can't be changed so
   * @returns the run after the change; null for an unknown run
   */
  abstract change(key: RunKey, change: (run: StoredRun) => RunChange): Promise<StoredRun | null>;
  /** Null for an unknown run. */
  abstract get(key: RunKey): Promise<StoredRun | null>;
  /** Newest first. */
  abstract list(query: RunListQuery): Promise<ListedRun[]>;
  /** A checkpoint of a run that the key names. @param version  0 for the latest @returns null if it is not kept */
  abstract checkpoint(key: RunKey, version: number): Promise<RunCheckpoint | null>;
  /**
   * Claims the events of a run that wait to be recorded, in order.
   * @returns null if none waits; [] if another claim is valid
   */
  abstract claim(runId: string, claim: RecordingClaim): Promise<readonly RunEvent[] | null>;
  /** Forgets the events up to this number, which are recorded. */
  abstract recorded(runId: string, through: number): Promise<void>;
  /** Ends a claim before its time. */
  abstract release(runId: string, by: string): Promise<void>;
  /** Ids of runs with events that wait, at most 100. */
  abstract waiting(place: RunProject): Promise<string[]>;
  /**
   * Removes runs of one place that were last changed before a time (ms since the epoch) and have no event that waits.
   * @returns their number
   */
  abstract purge(place: RunProject, before: number): Promise<number>;
  abstract close(): Promise<void>;
}
