import type { RegisteredDefinition, StoredDefinition } from './definition-store.port.js';

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
