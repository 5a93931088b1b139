import type { Config } from '../config/config.js';

/** A port and its maker, as Nest takes them. */
interface OpenedPort {
  readonly provide: abstract new () => { close(): Promise<void> };
  readonly useFactory: () => { close(): Promise<void> };
}

/** The stores of the tools of MCP_DOMAINS: one file, opened when a tool first uses it. */
export function workStores(_config: Config): OpenedPort[] {
  return [];
}
