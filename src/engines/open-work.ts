import type { Config } from '../config/config.js';
import { RunStore } from '../core/ports/run-store.port.js';
import { SchemaChecker } from '../core/ports/schema-checker.port.js';
import { SchemaStore } from '../core/ports/schema-store.port.js';
import { SchemaCheckerThread } from './json-schema/schema-checker-thread.js';
import { SqliteRunStore } from './sqlite/domains/sqlite-run-store.js';
import { SqliteSchemaStore } from './sqlite/domains/sqlite-schema-store.js';

/** A port and its maker, as Nest takes them. */
interface OpenedPort {
  readonly provide: abstract new () => { close(): Promise<void> };
  readonly useFactory: () => { close(): Promise<void> };
}

/** What the tools of MCP_DOMAINS need. The stores are one file; all is opened when a tool first uses it. */
export function workStores({ domains }: Config): OpenedPort[] {
  const place = { file: domains.workFile, creates: true };
  return [
    { provide: RunStore, useFactory: () => new SqliteRunStore(place) },
    { provide: SchemaStore, useFactory: () => new SqliteSchemaStore(place) },
    { provide: SchemaChecker, useFactory: () => new SchemaCheckerThread() },
  ];
}
