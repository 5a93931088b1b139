import { type PithProcess, poll, type SpawnOptions, startPith } from './processes.js';

/** One message of the protocol. */
export interface RpcMessage {
  readonly jsonrpc?: string;
  readonly id?: number | string | null;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** `pith stdio` without an SDK, for tests below the SDK level. */
export interface StdioProcess extends PithProcess {
  readonly write: (line: string) => void;
  readonly request: (method: string, params?: object) => Promise<RpcMessage>;
  readonly initialize: () => Promise<RpcMessage>;
  /** All complete lines on stdout so far. */
  readonly lines: () => string[];
}

function parsed(line: string): RpcMessage {
  try {
    return JSON.parse(line) as RpcMessage;
  } catch {
    // A line that is not JSON is not a response; the test for clean stdout checks the lines themselves.
    return {};
  }
}

export const INITIALIZE = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'pith-tests', version: '1.0.0' },
} as const;

/** Starts `pith stdio`; messages are lines. */
export function startStdio(index: string, options: SpawnOptions = {}): StdioProcess {
  const pith = startPith(['stdio', '--index', index], options);
  let lastId = 0;
  const write = (line: string) => void pith.child.stdin.write(`${line}\n`);
  const lines = () => pith.stdout().split('\n').slice(0, -1);
  const request = (method: string, params: object = {}) => {
    const id = ++lastId;
    write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return poll(`an answer to ${method}`, () =>
      lines()
        .map(parsed)
        .find((message) => message.id === id),
    );
  };
  const initialize = async () => {
    const reply = await request('initialize', INITIALIZE);
    write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
    return reply;
  };
  return { ...pith, write, request, initialize, lines };
}
