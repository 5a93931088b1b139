import type { Config } from '../config/config.js';
import { RunStore } from '../core/ports/run-store.port.js';
import { SqliteRunStore } from './sqlite/domains/sqlite-run-store.js';

/** A port and its maker, as Nest takes them. */
interface OpenedPort {
  readonly provide: abstract new () => { close(): Promise<void> };
  readonly useFactory: () => { close(): Promise<void> };
}

/** The stores of the tools of MCP_DOMAINS: one file, opened when a tool first uses it. */
export function workStores({ domains }: Pick<Config, 'domains'>): OpenedPort[] {
  const place = { file: domains.workFile, creates: true };
  return [{ provide: RunStore, useFactory: () => new SqliteRunStore(place) }];
}
