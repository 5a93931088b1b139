import type { WorkSpace } from '../../work-space.js';

/** A manifest, without its entries. Their JSON is an artifact with the same SHA-256. */
export interface ManifestFacts {
  readonly sha256: string;
  /** The manifest that it follows; null for the first. */
  readonly parent: string | null;
  /** Empty if none was given. */
  readonly message: string;
  readonly entries: number;
  /** The principal that made it first. */
  readonly createdBy: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A part of a chain of parents. */
export interface ChainPart {
  /** Number of manifests to leave out at its start. */
  readonly offset: number;
  /** Most manifests to return. */
  readonly limit: number;
}

/** Knows which artifacts are manifests, and their parents. All methods throw BackendUnavailableError if the store can't be used. */
export abstract class ManifestStore {
  /**
   * Notes a manifest. One that is known stays as it is.
   * @returns the facts that are known then
   * @throws BudgetExceededError `substrate_full`
   */
  abstract note(space: WorkSpace, manifest: Omit<ManifestFacts, 'createdAt'>): Promise<ManifestFacts>;
  /** @returns null for an unknown one */
  abstract find(space: WorkSpace, sha256: string): Promise<ManifestFacts | null>;
  /** The manifest, its parent, and so on. @returns [] for an unknown one */
  abstract chain(space: WorkSpace, sha256: string, part: ChainPart): Promise<ManifestFacts[]>;
  abstract close(): Promise<void>;
}
