import {
  connectClient,
  type Era,
  startHttpProcess,
  type TestClient,
  type TransportName,
} from './mcp-clients.js';

/** Every kind of client over every transport. */
export const TRANSPORTS: [Era, TransportName][] = [
  ['v1', 'stdio'],
  ['v2', 'stdio'],
  ['v1', 'http'],
  ['v2', 'http'],
];

/** Both protocol eras and both transports, each once, for settings that don't depend on the client. */
export const ONE_OF_EACH: [Era, TransportName][] = [
  ['v1', 'stdio'],
  ['v2', 'http'],
];

/** Both protocol eras over HTTP, served by one process. */
export const OVER_HTTP: [Era, TransportName][] = [
  ['v1', 'http'],
  ['v2', 'http'],
];

/** A client of the 2025 era over each transport. */
export const V1: ['v1', TransportName][] = [
  ['v1', 'stdio'],
  ['v1', 'http'],
];

export interface SiteOptions {
  readonly env?: Record<string, string>;
  readonly transports?: readonly (readonly [Era, TransportName])[];
  readonly clientName?: string;
  readonly headers?: Record<string, string>;
}

/** One server configuration with connected clients; all HTTP clients use one process. */
export interface Site {
  readonly client: (era: Era, transport: TransportName) => TestClient;
  /** URL of the HTTP server; empty if no client needs it. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** Starts servers and connects clients, which list the tools like hosts, so that the SDKs validate every result. */
export async function openSite(index: string, options: SiteOptions = {}): Promise<Site> {
  const { env = {}, transports = TRANSPORTS, clientName, headers } = options;
  const needsHttp = transports.some(([, transport]) => transport === 'http');
  const starting = needsHttp ? startHttpProcess(index, env) : Promise.resolve(null);
  const open = async ([era, transport]: readonly [Era, TransportName]) => {
    const url = transport === 'http' ? (await starting)?.url : undefined;
    const client = await connectClient({ era, transport, index, env, ...{ url, clientName, headers } });
    await client.listTools();
    return [`${era} ${transport}`, client] as const;
  };
  const clients = new Map(await Promise.all(transports.map(open)));
  const http = await starting;
  return {
    url: http?.url ?? '',
    client: (era, transport) => {
      const client = clients.get(`${era} ${transport}`);
      if (!client) throw new Error(`this site has no ${era} client over ${transport}`);
      return client;
    },
    stop: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
      await http?.stop();
    },
  };
}
