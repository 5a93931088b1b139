import type { WorkSpace } from '../work-space.js';

/** Most versions of all schemas of one project and environment. */
export const MAX_SCHEMA_VERSIONS = 10_000;

/** Names a version of a schema. */
export interface SchemaRef {
  readonly name: string;
  readonly version: number;
}

/** One version of a schema. Versions of a name are 1, 2, 3, … and never change. */
export interface SchemaVersion extends SchemaRef {
  /** SHA-256 in hex over `text`. */
  readonly hash: string;
  /** Canonical JSON (RFC 8785). */
  readonly text: string;
  /** Empty for none. */
  readonly description: string;
  /** The principal that registered it. */
  readonly principal: string;
  /** Milliseconds since the epoch. */
  readonly registeredAt: number;
}

/** A page of a list. */
export interface SchemaPage {
  readonly offset: number;
  readonly limit: number;
}

/**
 * Stores JSON Schemas. Several processes may share one store; each method is atomic among them.
 * All methods throw BackendUnavailableError if the store can't be used.
 */
export abstract class SchemaStore {
  /**
   * Adds the next version of a name.
   * @returns false if it is not the next one, because another call was faster
   * @throws BudgetExceededError `schemas_full`
   */
  abstract add(place: WorkSpace, schema: SchemaVersion): Promise<boolean>;
  /** @param version  null for the latest */
  abstract find(place: WorkSpace, name: string, version: number | null): Promise<SchemaVersion | null>;
  /** The latest versions, by name. */
  abstract list(place: WorkSpace, page: SchemaPage): Promise<SchemaVersion[]>;
  abstract close(): Promise<void>;
}
