import { connectClient, startHttpProcess } from './mcp-clients.js';
import type { Door, Era, TestClient } from './mcp-clients.js';

/** Every kind of client over every door. */
export const DOORS: [Era, Door][] = [
  ['v1', 'stdio'],
  ['v2', 'stdio'],
  ['v1', 'http'],
  ['v2', 'http'],
];

/** Both eras and both doors, each once: for settings that no client can see through. */
export const ONE_OF_EACH: [Era, Door][] = [
  ['v1', 'stdio'],
  ['v2', 'http'],
];

/** Both eras over HTTP, where one process serves them all. */
export const OVER_HTTP: [Era, Door][] = [
  ['v1', 'http'],
  ['v2', 'http'],
];

export interface SiteOptions {
  readonly env?: Record<string, string>;
  readonly doors?: readonly (readonly [Era, Door])[];
  readonly clientName?: string;
  readonly headers?: Record<string, string>;
}

/** One configuration of the server with clients connected to it; all HTTP clients talk to one process. */
export interface Site {
  readonly client: (era: Era, door: Door) => TestClient;
  /** The address of the HTTP server; empty if no client needs one. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts servers and connects clients, which list the tools as hosts do, so that they check every result. */
export async function openSite(index: string, options: SiteOptions = {}): Promise<Site> {
  const { env = {}, doors = DOORS, clientName, headers } = options;
  const needsHttp = doors.some(([, door]) => door === 'http');
  const starting = needsHttp ? startHttpProcess(index, env) : Promise.resolve(null);
  const open = async ([era, door]: readonly [Era, Door]) => {
    const url = door === 'http' ? (await starting)?.url : undefined;
    const client = await connectClient({ era, door, index, env, ...{ url, clientName, headers } });
    await client.listTools();
    return [`${era} ${door}`, client] as const;
  };
  const clients = new Map(await Promise.all(doors.map(open)));
  const http = await starting;
  return {
    url: http?.url ?? '',
    client: (era, door) => {
      const client = clients.get(`${era} ${door}`);
      if (!client) throw new Error(`this site has no ${era} client over ${door}`);
      return client;
    },
    stop: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
      await http?.stop();
    },
  };
}
