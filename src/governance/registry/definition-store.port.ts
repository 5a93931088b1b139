/** A definition of a tool, as a server registered it. A tool has one for each version and schema that it ever had. */
export interface RegisteredDefinition {
  /** Canonical name. */
  readonly name: string;
  readonly version: string;
  /** Hash of both schemas. */
  readonly schemaHash: string;
  /** `pith`, or the name of a provider. */
  readonly provider: string;
  /** All other facts, as canonical JSON: texts, schemas, safety, permission, capabilities, approval, budget and so on. */
  readonly facts: string;
}

/** A definition with the first and last time that a server noted it, in milliseconds since the epoch. */
export interface StoredDefinition extends RegisteredDefinition {
  readonly firstSeen: number;
  readonly lastSeen: number;
}

/** Max definitions of one tool that are read. */
export const MAX_DEFINITIONS = 100;

/**
 * The definitions that tools had on servers, with times. Several processes may share one store; each method is atomic
 * among them. All methods throw BackendUnavailableError if the store can't be used.
 */
export abstract class DefinitionStore {
  /**
   * Adds new definitions, and updates facts and time of the others.
   * @param definitions  with different names
   * @param at  milliseconds since the epoch
   * @returns the earlier definitions of tools whose schema has changed without a new version, by name
   */
  abstract note(definitions: readonly RegisteredDefinition[], at: number): Promise<StoredDefinition[]>;
  /** The definitions of one tool, the last seen first, then by version and schema hash; at most `MAX_DEFINITIONS`. */
  abstract history(name: string): Promise<StoredDefinition[]>;
  abstract close(): Promise<void>;
}

/** A row as a stored definition. */
export function storedDefinition(row: Readonly<Record<string, unknown>>): StoredDefinition {
  return {
    name: String(row['name']),
    version: String(row['version']),
    schemaHash: String(row['schema_hash']),
    provider: String(row['provider']),
    facts: String(row['facts']),
    firstSeen: Number(row['first_seen']),
    lastSeen: Number(row['last_seen']),
  };
}

/**
 * The definitions whose schema has changed without a new version.
 * @param before  the last definition of each name and version, at most one
 */
export function replacedBy(
  noted: readonly RegisteredDefinition[],
  before: readonly StoredDefinition[],
): StoredDefinition[] {
  const now = new Map(noted.map((each) => [each.name, each]));
  return before
    .filter(({ name, schemaHash }) => now.get(name)?.schemaHash !== schemaHash)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
