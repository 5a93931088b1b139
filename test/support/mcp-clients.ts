import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client as ClientV2, StreamableHTTPClientTransport as HttpV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ResultSchema,
} from '@modelcontextprotocol/sdk/types.js';

/** The built program, since tests of processes use `dist`. */
export const PROGRAM = join(__dirname, '..', '..', 'bin', 'pith.js');

export type TransportName = 'stdio' | 'http';
export type Era = 'v1' | 'v2';

/** The result of a tool call, as plain data. */
export interface CallResult {
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly [key: string]: unknown;
  }[];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
  readonly _meta?: Record<string, unknown>;
}

/** A real client of either SDK. */
export interface TestClient {
  readonly listTools: () => Promise<{ name: string; [key: string]: unknown }[]>;
  /** @param more  further parameters, such as `_meta`, a signal that cancels the call, and a listener to progress */
  readonly call: (
    name: string,
    args?: Record<string, unknown>,
    more?: {
      readonly signal?: AbortSignal;
      readonly onprogress?: (progress: { readonly progress: number; readonly total?: number }) => void;
      readonly [parameter: string]: unknown;
    },
  ) => Promise<CallResult>;
  readonly readResource: (uri: string) => Promise<{ contents: { text?: string; [key: string]: unknown }[] }>;
  readonly listResources: (cursor?: string) => Promise<{
    readonly resources: { uri: string; [key: string]: unknown }[];
    readonly nextCursor?: string;
  }>;
  readonly listPrompts: () => Promise<{ name: string; [key: string]: unknown }[]>;
  readonly getPrompt: (
    name: string,
    args?: Record<string, string>,
  ) => Promise<{ messages: unknown[]; description?: string }>;
  /** The instructions of the server. */
  readonly instructions: () => string | undefined;
  readonly capabilities: () => object | undefined;
  readonly listResourceTemplates: () => Promise<{ uriTemplate: string; [key: string]: unknown }[]>;
  /** A request of an extension. */
  readonly request: (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;
  /** The process of the server; null if it is not a child process. */
  readonly pid: () => number | null;
  readonly close: () => Promise<void>;
}

/**
 * The environment without the user's own settings, and without further certificates, which take half of the time in
 * which Node starts: no test connects to a server that needs them.
 */
export function cleanEnv(extra: Record<string, string> = {}): Record<string, string> {
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(?:(?:PITH|MCP|MAX|RETRIEVAL|SURR|OTEL)_|NODE_EXTRA_CA_CERTS$)/.test(name),
  );
  // Diagnostics of failed calls are not written into the checkout, and successful calls are not sampled.
  const elsewhere = {
    RETRIEVAL_DIAGNOSTICS_DIR: join(tmpdir(), 'pith-test-diagnostics'),
    RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE: '0',
  };
  return { ...Object.fromEntries(own.map(([name, value]) => [name, value ?? ''])), ...elsewhere, ...extra };
}

/** An HTTP server process on a free port. */
export interface HttpProcess {
  readonly url: string;
  readonly child: ChildProcess;
  readonly stop: () => Promise<void>;
}

/** Starts `pith http` and waits until it answers, on a free port unless PITH_HTTP_PORT is given. */
export async function startHttpProcess(
  index: string,
  env: Record<string, string> = {},
): Promise<HttpProcess> {
  const child = spawn(process.execPath, [PROGRAM, 'http', '--index', index], {
    env: cleanEnv({ PITH_HTTP_PORT: '0', ...env }),
  });
  const url = await new Promise<string>((resolve, reject) => {
    let stderr = '';
    child.stderr.on('data', (data: Buffer) => {
      stderr += data.toString();
      const found = /https?:\/\/\S+\/mcp/.exec(stderr)?.[0];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`pith http exited with ${code}: ${stderr}`)));
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  return { url, child, stop };
}

export interface ConnectOptions {
  readonly era: Era;
  readonly transport: TransportName;
  /** Index file of a STDIO server. */
  readonly index: string;
  /** URL of a running HTTP server. */
  readonly url?: string;
  readonly env?: Record<string, string>;
  readonly clientName?: string;
  readonly headers?: Record<string, string>;
  /** Answers questions of the server to the user. Without it, the client declares no elicitation. */
  readonly onQuestion?: (message: string) => Promise<'accept' | 'decline' | 'cancel'>;
  /** The answer of the model of the host. Without it, the client declares no sampling. */
  readonly sampled?: string;
  /** The values that the user enters when accepting. Default: none. */
  readonly form?: Readonly<Record<string, string>>;
  /** The extensions that the client declares. Default: none. */
  readonly extensions?: Record<string, Record<string, string[]>>;
}

type AnyClient = Pick<
  ClientV1,
  | 'listTools'
  | 'readResource'
  | 'listResources'
  | 'listResourceTemplates'
  | 'listPrompts'
  | 'getPrompt'
  | 'getInstructions'
  | 'getServerCapabilities'
  | 'request'
  | 'close'
>;

/** Calls a tool, as the client of one era does. */
type CallTool = (params: Parameters<ClientV1['callTool']>[0], options: object) => Promise<object>;

function wrap(client: AnyClient, transport: object, callTool: CallTool): TestClient {
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, { signal, onprogress, ...more } = {}) => {
      const sent = { ...(signal ? { signal } : {}), ...(onprogress ? { onprogress } : {}) };
      return (await callTool({ ...more, name, arguments: args }, sent)) as CallResult;
    },
    readResource: async (uri) => (await client.readResource({ uri })) as never,
    listResources: async (cursor) => (await client.listResources(cursor ? { cursor } : undefined)) as never,
    listPrompts: async () => (await client.listPrompts()).prompts,
    getPrompt: async (name, args = {}) => (await client.getPrompt({ name, arguments: args })) as never,
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    listResourceTemplates: async () => (await client.listResourceTemplates()).resourceTemplates,
    request: (method, params) => client.request({ method, params } as never, ResultSchema),
    pid: () => ('pid' in transport ? Number(transport.pid) : null),
    close: () => client.close(),
  };
}

/** Name in the table of hosts. */
const OWN_NAME = 'pith-tests';

/** A model that repeats the system prompt that it was given. */
const sample = (answer: string, { systemPrompt = '' }: { readonly systemPrompt?: string | undefined }) => ({
  model: 'test',
  role: 'assistant' as const,
  content: { type: 'text' as const, text: `${answer} [${systemPrompt}]` },
});

/** Connects a real MCP client: SDK v1 (2025 era) or v2, pinned to 2026-07-28. */
export async function connectClient(options: ConnectOptions): Promise<TestClient> {
  const { era, transport, index, url = '', env = {}, clientName = OWN_NAME, headers = {} } = options;
  const { onQuestion, form = {}, sampled, extensions } = options;
  const capabilities = {
    ...(onQuestion ? { elicitation: { form: {} } } : {}),
    ...(sampled === undefined ? {} : { sampling: {} }),
    ...(extensions ? { extensions } : {}),
  };
  const answer = async (message: string) => {
    const action = (await onQuestion?.(message)) ?? 'cancel';
    return action === 'accept' ? { action, content: { ...form } } : { action };
  };
  const info = { name: clientName, version: '1.0.0' };
  const stdio = {
    command: process.execPath,
    args: [PROGRAM, 'stdio', '--index', index],
    env: cleanEnv(env),
    stderr: 'pipe' as const,
  };
  // Over stateless HTTP, only this shows that our own client accepts dots.
  const agent: Record<string, string> = clientName === OWN_NAME ? { 'user-agent': `${OWN_NAME}/1.0.0` } : {};
  const requestInit = { headers: { ...agent, ...headers } };
  if (era === 'v1') {
    const client = new ClientV1(info, { capabilities });
    if (onQuestion) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params.message));
    if (sampled !== undefined)
      client.setRequestHandler(CreateMessageRequestSchema, ({ params }) => sample(sampled, params));
    const connection = transport === 'stdio' ? new StdioV1(stdio) : new HttpV1(new URL(url), { requestInit });
    await client.connect(connection as Parameters<ClientV1['connect']>[0]);
    return wrap(client, connection, (params, sent) => client.callTool(params, undefined, sent));
  }
  const client = new ClientV2(info, { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } });
  if (onQuestion) client.setRequestHandler('elicitation/create', ({ params }) => answer(params.message));
  if (sampled !== undefined)
    client.setRequestHandler('sampling/createMessage', ({ params }) => sample(sampled, params));
  const connection = transport === 'stdio' ? new StdioV2(stdio) : new HttpV2(new URL(url), { requestInit });
  await client.connect(connection);
  const callTool: CallTool = (params, sent) => client.callTool(params, sent);
  return wrap(client as unknown as AnyClient, connection, callTool);
}
