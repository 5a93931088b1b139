import type { CallToolResult, PriorDiscovery, Tool } from '@modelcontextprotocol/client';
import { VERSION } from '../../../core/package-facts.js';
import { exceededBound } from '../../../text/nesting.js';
import type { ProviderTransport } from '../provider-file.js';
import { ProviderRequestRefused, type ProviderRequests } from '../provider-requests.js';
import { loadSdk, loadStdio, type SdkClient, type StdioChannel } from './load-sdk.js';
import { gated, MAX_MESSAGE_BYTES, MessageBytes, MessageRate, MessageRefusedError } from './message-gate.js';
import { failureText, MAX_ROUNDS } from './provider-failures.js';
import { forEachLine } from './provider-log.js';

const LF = 10;
const CR = 13;

/** Finds the ends of events: empty lines. Lines end with LF, CR or both. @returns true for the last byte of an event */
function eventEnds(): (byte: number) => boolean {
  let isLineEmpty = false;
  let before = 0;
  let hasEnded = false;
  return (byte) => {
    const isSecond = byte === LF && before === CR;
    const isLineEnd = byte === LF || byte === CR;
    const isEnd = isLineEnd && !isSecond && isLineEmpty;
    if (!isSecond) isLineEmpty = isLineEnd;
    before = byte;
    // The second half of a line end belongs to the event before.
    const isTail = isSecond && hasEnded;
    hasEnded = isEnd;
    return isEnd || isTail;
  };
}

/**
 * Passes on the messages of a response that are within the limits: the whole body, or each event of a stream, which an
 * empty line ends.
 */
function limit(isStream: boolean, maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  const rate = new MessageRate(() => undefined);
  const received = new MessageBytes(maxBytes);
  const endsEvent = eventEnds();
  const message = (): Uint8Array => {
    const bytes = received.take();
    const problem = exceededBound(bytes.toString());
    if (problem !== null) throw new MessageRefusedError(problem);
    return bytes;
  };
  return new TransformStream({
    transform: async (chunk, controller) => {
      let from = 0;
      for (let i = 0; i < chunk.length; i++) {
        if (!isStream || !endsEvent(chunk[i] ?? 0)) continue;
        received.add(chunk.subarray(from, i + 1));
        from = i + 1;
        const event = message();
        if (event.length > 1) await rate.admits('');
        controller.enqueue(event);
      }
      received.add(chunk.subarray(from));
    },
    flush: (controller) => controller.enqueue(message()),
  });
}

/** Limits the size, the values and the rate of the messages in responses. */
export function boundedFetch(send: typeof fetch, maxBytes = MAX_MESSAGE_BYTES): typeof fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit(isStream, maxBytes)), {
      status,
      statusText,
      headers,
    });
  };
}

/** Time to start, to negotiate the protocol and to list the tools (ms). `npx` may download a package first. */
const OPEN_MS = 30_000;
/** Time until a silent program counts as one of the 2025 protocol (ms). */
const PROBE_MS = 10_000;
/** Time that a program has to end after SIGTERM (ms). */
const END_MS = 250;
/** Pages of a tool list that are read. */
const MAX_PAGES = 32;

/** The owner of a connection. */
export interface ConnectionHooks {
  /** The provider says that its tools have changed. */
  readonly onToolsChanged: () => void;
  /** Called once, when the connection has ended. */
  readonly onClose: () => void;
  /** A line that the program wrote to stderr, or an error of the connection. */
  readonly onLine: (line: string) => void;
  /** Stops connecting. */
  readonly signal: AbortSignal;
  /** Answers requests of the provider. Default: all are refused. */
  readonly requests?: ProviderRequests;
}

/** How far a provider says that a call is. Its text is not passed on: nobody marks it as the provider's. */
interface ProviderProgress {
  readonly progress: number;
  readonly total?: number;
}

/** The caller of a provider's tool. */
export interface Waiting {
  readonly signal: AbortSignal;
  /** Absent if nobody asked for progress. */
  readonly onProgress?: ((progress: ProviderProgress) => void) | undefined;
}

/** The limits of one call of a provider. */
interface CallLimits extends Waiting {
  readonly timeoutMs: number;
}

/** An open connection to a provider. */
export interface ProviderConnection {
  /** For the next connection; null if it has to negotiate again. */
  readonly prior: PriorDiscovery | null;
  /** Id of its process; null for HTTP. */
  readonly pid: number | null;
  readonly listTools: () => Promise<readonly Tool[]>;
  /** @param tool  as the provider lists it @throws errors of the SDK */
  readonly callTool: (tool: string, args: CallArguments, limits: CallLimits) => Promise<CallToolResult>;
  readonly close: () => Promise<void>;
}

const numbersFor =
  (onProgress: (progress: ProviderProgress) => void) =>
  ({ progress, total }: ProviderProgress): void =>
    onProgress({ progress, ...(total === undefined ? {} : { total }) });

export type CallArguments = Readonly<Record<string, unknown>>;

/** Starts the program, or makes the HTTP transport. @param transport  with the values of its references */
async function openTransport(transport: ProviderTransport, onLine: ConnectionHooks['onLine']) {
  if (transport.kind === 'http') {
    const { StreamableHTTPClientTransport } = await loadSdk();
    return new StreamableHTTPClientTransport(new URL(transport.url), {
      requestInit: { headers: { ...transport.headers } },
      fetch: boundedFetch(fetch),
    });
  }
  const { StdioClientTransport } = await loadStdio();
  const { command, args, env, cwd } = transport;
  const channel = new StdioClientTransport({
    command,
    args: [...args],
    // The SDK adds HOME, PATH, USER and the like; nothing else is inherited.
    env: { ...env },
    ...(cwd === null ? {} : { cwd }),
    stderr: 'pipe',
    maxBufferSize: MAX_MESSAGE_BYTES + 1,
  });
  return gated(channel, (count) => onLine(`${count} notifications in a second were dropped`));
}

/** JSON-RPC code for a request that is refused. */
const INVALID_REQUEST = -32_600;

/** Answers the allowed requests of a provider. */
async function answerRequests(client: SdkClient, requests: ProviderRequests): Promise<void> {
  const { ProtocolError } = await loadSdk();
  const { allowed } = requests;
  const orRefused = async <T>(answer: Promise<T>): Promise<T> => {
    try {
      return await answer;
    } catch (error) {
      if (!(error instanceof ProviderRequestRefused)) throw error;
      throw new ProtocolError(INVALID_REQUEST, error.message);
    }
  };
  if (allowed.includes('roots')) client.setRequestHandler('roots/list', () => requests.roots());
  if (allowed.includes('elicitation'))
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) =>
      orRefused(requests.elicit(params, mcpReq.signal)),
    );
  if (allowed.includes('sampling'))
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq }) =>
      orRefused(requests.sample(params, mcpReq.signal)),
    );
}

/**
 * A client that declares only what the governance file allows: other requests of the provider are refused. Results are
 * not validated here, because the pipeline of the call does it.
 */
async function makeClient({ onToolsChanged, requests }: ConnectionHooks): Promise<SdkClient> {
  const { Client } = await loadSdk();
  const allowed = requests?.allowed ?? [];
  const client = new Client(
    { name: 'pith', version: VERSION },
    {
      capabilities: {
        ...(allowed.includes('roots') ? { roots: {} } : {}),
        ...(allowed.includes('elicitation') ? { elicitation: { form: {} } } : {}),
        ...(allowed.includes('sampling') ? { sampling: {} } : {}),
      },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_MS } },
      inputRequired: { autoFulfill: allowed.length > 0, maxRounds: MAX_ROUNDS },
      listChanged: { tools: { autoRefresh: false, onChanged: onToolsChanged } },
      listMaxPages: MAX_PAGES,
      jsonSchemaValidator: {
        getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
      },
    },
  );
  if (requests) await answerRequests(client, requests);
  return client;
}

/** Ends stdin, then SIGTERM, then SIGKILL. The SDK alone would wait 2 s before each signal. */
async function endProgram(client: SdkClient, { pid }: StdioChannel): Promise<void> {
  const closed = client.close();
  if (pid === null) return closed;
  signalTo(pid, 'SIGTERM');
  const timer = setTimeout(() => signalTo(pid, 'SIGKILL'), END_MS);
  await closed.finally(() => clearTimeout(timer));
}

/** Sends a signal to a process that may have ended. */
export function signalTo(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

/**
 * Connects to a provider; the protocol version is negotiated.
 * @param transport  with the values of its references
 * @param prior  the result of an earlier negotiation; null to negotiate
 * @throws errors of the SDK and of the system if it can't be reached
 */
export async function openProvider(
  transport: ProviderTransport,
  prior: PriorDiscovery | null,
  hooks: ConnectionHooks,
): Promise<ProviderConnection> {
  const channel = await openTransport(transport, hooks.onLine);
  const client = await makeClient(hooks);
  const stdio = 'pid' in channel ? channel : null;
  if (stdio?.stderr) forEachLine(stdio.stderr, hooks.onLine);
  client.onerror = (error) => hooks.onLine(failureText(error));
  const close = (): Promise<void> => (stdio ? endProgram(client, stdio) : client.close());
  const stop = (): void => void close();
  hooks.signal.addEventListener('abort', stop, { once: true });
  try {
    await client.connect(channel, { timeout: OPEN_MS, ...(prior ? { prior } : {}) });
  } catch (error) {
    await close();
    throw error;
  } finally {
    hooks.signal.removeEventListener('abort', stop);
  }
  client.onclose = hooks.onClose;
  return {
    // With another prior result, the SDK would not subscribe to changes of the tools.
    prior: client.getProtocolEra() === 'legacy' ? { kind: 'legacy' } : null,
    pid: stdio?.pid ?? null,
    listTools: async () => (await client.listTools({}, { timeout: OPEN_MS, cacheMode: 'refresh' })).tools,
    callTool: (name, args, { signal, timeoutMs, onProgress }) =>
      client.callTool(
        { name, arguments: { ...args } },
        { signal, timeout: timeoutMs, ...(onProgress ? { onprogress: numbersFor(onProgress) } : {}) },
      ),
    close,
  };
}
