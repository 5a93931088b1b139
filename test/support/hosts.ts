import { randomInt } from 'node:crypto';
import { httpRequest, MCP_HEADERS } from './http-request.js';
import { type CallResult, connectClient, type TestClient, type TransportName } from './mcp-clients.js';

/** A kind of host, and the parts of a result that its model receives. */
export interface EmulatedHost {
  readonly title: string;
  /** `raw`: plain HTTP requests without `initialize`, as stateless 2025-era hosts send them. */
  readonly speaks: 'v1' | 'v2' | 'raw';
  readonly transport: TransportName;
  readonly clientName: string;
  /** Tool names that the host or its model API accepts; one invalid name disables all tools. */
  readonly accepts: RegExp;
  /** The expected spelling of names in its tool list. */
  readonly names: 'dotted' | 'underscore';
  /** The parts of a result that the model receives. */
  readonly forwards: 'content' | 'structured' | 'both';
}

const ANY_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const NO_DOTS = /^[a-zA-Z0-9_-]{1,64}$/;

/** The eight kinds in the specification, and one that accepts dots. */
export const HOSTS: readonly EmulatedHost[] = [
  {
    title: 'refuses dots in tool names',
    ...{ speaks: 'v1', transport: 'stdio', clientName: 'claude-ai' },
    ...{ accepts: NO_DOTS, names: 'underscore', forwards: 'content' },
  },
  {
    title: 'forwards only content',
    ...{ speaks: 'v1', transport: 'stdio', clientName: 'opencode' },
    ...{ accepts: NO_DOTS, names: 'underscore', forwards: 'content' },
  },
  {
    title: 'forwards only structuredContent',
    ...{ speaks: 'v1', transport: 'stdio', clientName: 'claude-code' },
    ...{ accepts: NO_DOTS, names: 'underscore', forwards: 'structured' },
  },
  {
    title: 'forwards both forms',
    ...{ speaks: 'v1', transport: 'stdio', clientName: 'Visual Studio Code' },
    ...{ accepts: ANY_NAME, names: 'underscore', forwards: 'both' },
  },
  {
    title: 'knows no resources',
    ...{ speaks: 'v2', transport: 'stdio', clientName: 'codex-mcp-client' },
    ...{ accepts: NO_DOTS, names: 'underscore', forwards: 'content' },
  },
  {
    title: 'is stateless HTTP of the 2025 era and tells only its user agent',
    ...{ speaks: 'raw', transport: 'http', clientName: 'claude-code' },
    ...{ accepts: NO_DOTS, names: 'underscore', forwards: 'content' },
  },
  {
    title: 'speaks 2026-07-28',
    ...{ speaks: 'v2', transport: 'http', clientName: 'gemini-cli-mcp-client' },
    ...{ accepts: NO_DOTS, names: 'underscore', forwards: 'content' },
  },
  {
    title: 'accepts dots, as inspectors do',
    ...{ speaks: 'v1', transport: 'stdio', clientName: 'mcp-inspector' },
    ...{ accepts: ANY_NAME, names: 'dotted', forwards: 'content' },
  },
  {
    title: 'is unknown',
    ...{ speaks: 'v1', transport: 'http', clientName: 'somebody-s-agent' },
    ...{ accepts: NO_DOTS, names: 'underscore', forwards: 'content' },
  },
];

type RawHost = Pick<TestClient, 'listTools' | 'call' | 'close'>;

function statelessHost(url: string, userAgent: string): RawHost {
  const ask = async (method: string, params: object): Promise<Record<string, unknown>> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: randomInt(1_000_000), method, params });
    const headers = { ...MCP_HEADERS, 'user-agent': userAgent, 'mcp-protocol-version': '2025-06-18' };
    const reply = await httpRequest(url, { headers, body });
    const { result } = JSON.parse(reply.body.replace(/^(?:event:.*\n)?data: /, '')) as { result: object };
    return { ...result };
  };
  return {
    listTools: async () => (await ask('tools/list', {}))['tools'] as never,
    call: async (name, args = {}) => (await ask('tools/call', { name, arguments: args })) as never,
    close: async () => undefined,
  };
}

/** Connects like the host. */
export function connectHost(host: EmulatedHost, index: string, url: string): Promise<RawHost> {
  const { speaks, transport, clientName } = host;
  if (speaks === 'raw') return Promise.resolve(statelessHost(url, `${clientName}/2.1.0 (test)`));
  return connectClient({ era: speaks, transport, index, url, clientName });
}

/** The parts of a result that the host's model receives, as text. */
export function modelSees({ forwards }: EmulatedHost, result: CallResult): string {
  const content = result.content.map((block) => block.text ?? '').join('\n');
  const structured = result.structuredContent ? JSON.stringify(result.structuredContent) : content;
  if (forwards === 'both') return `${content}\n${structured}`;
  return forwards === 'structured' ? structured : content;
}
