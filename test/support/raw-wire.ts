import { httpRequest, MCP_HEADERS, type RawResponse } from './http-request.js';
import { startHttpProcess, type TransportName } from './mcp-clients.js';
import { type PithProcess, poll } from './processes.js';
import { type RpcMessage, startStdio } from './stdio-process.js';

/** A server that receives raw text, without an SDK. */
export interface RawWire {
  /** Sends one text (one line over STDIO) and resolves with the next message from the server. */
  readonly send: (text: string) => Promise<RpcMessage>;
  /** Stops the server and returns its stderr. */
  readonly stop: () => Promise<string>;
}

export interface RawOptions {
  readonly env?: Record<string, string>;
  /** The protocol version, negotiated or from the header. */
  readonly version?: string;
}

const initialize = (protocolVersion: string): string =>
  JSON.stringify({
    ...{ jsonrpc: '2.0', id: 'first', method: 'initialize' },
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  });

async function overStdio(index: string, { env, version }: RawOptions): Promise<RawWire> {
  const server = startStdio(index, { env });
  const send = async (text: string): Promise<RpcMessage> => {
    const before = server.lines().length;
    server.write(text);
    const line = await poll('an answer', () => server.lines()[before]);
    return JSON.parse(line) as RpcMessage;
  };
  if (version !== undefined) await send(initialize(version));
  return { send, stop: () => stopped(server) };
}

async function stopped(server: PithProcess): Promise<string> {
  return (await server.stop()).stderr;
}

/** The JSON-RPC message of a response; `{}` if it has none. */
export function rpcOf({ body }: Pick<RawResponse, 'body'>): RpcMessage {
  try {
    return JSON.parse(/^data: (.*)$/m.exec(body)?.[1] ?? body) as RpcMessage;
  } catch {
    return {};
  }
}

async function overHttp(index: string, { env, version }: RawOptions): Promise<RawWire> {
  const server = await startHttpProcess(index, env);
  let stderr = '';
  server.child.stderr?.on('data', (data: Buffer) => (stderr += data.toString()));
  const headers = { ...MCP_HEADERS, ...(version ? { 'mcp-protocol-version': version } : {}) };
  const send = async (body: string): Promise<RpcMessage> =>
    rpcOf(await httpRequest(server.url, { headers, body }));
  const stop = async (): Promise<string> => {
    await server.stop();
    return stderr;
  };
  return { send, stop };
}

/** Starts a server and communicates without an SDK. */
export function rawWire(transport: TransportName, index: string, options: RawOptions = {}): Promise<RawWire> {
  return transport === 'stdio' ? overStdio(index, options) : overHttp(index, options);
}
