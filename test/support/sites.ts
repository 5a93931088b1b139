import { connectClient, type Door, type Era, startHttpProcess, type TestClient } from './mcp-clients.js';

/** Every kind of client over every transport. */
export const DOORS: [Era, Door][] = [
  ['v1', 'stdio'],
  ['v2', 'stdio'],
  ['v1', 'http'],
  ['v2', 'http'],
];

/** Both protocol eras and both transports, each once, for settings that don't depend on the client. */
export const ONE_OF_EACH: [Era, Door][] = [
  ['v1', 'stdio'],
  ['v2', 'http'],
];

/** Both protocol eras over HTTP, served by one process. */
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

/** One server configuration with connected clients; all HTTP clients use one process. */
export interface Site {
  readonly client: (era: Era, door: Door) => TestClient;
  /** URL of the HTTP server; empty if no client needs it. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts servers and connects clients, which list the tools like hosts, so that the SDKs validate every result. */
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
