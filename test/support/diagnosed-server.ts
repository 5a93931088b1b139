import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpRequest, MCP_HEADERS } from './http-request.js';
import type { CallResult, TransportName } from './mcp-clients.js';
import { type Finished, type PithProcess, poll, startPith } from './processes.js';
import { INITIALIZE, type RpcMessage, startStdio } from './stdio-process.js';

export const BOTH_TRANSPORTS: readonly TransportName[] = ['stdio', 'http'];

/** An admin token for an HTTP server. */
export const ADMIN_TOKEN = 'the-operator-of-these-tests';

/** A line of the artifact, as plain JSON. The tests check its content. */
export type PlainRecord = Readonly<Record<string, unknown>> & { readonly diagnostic_id: string };

/** Additional data of a call. */
export interface Beside {
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Headers of the HTTP request; not sent over STDIO. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server, accessed without an SDK, with all its output. */
export interface DiagnosedServer {
  readonly transport: TransportName;
  /** URL of the HTTP transport; empty over STDIO. */
  readonly url: string;
  readonly request: (method: string, params?: object, headers?: Beside['headers']) => Promise<RpcMessage>;
  readonly call: (name: string, args?: object, beside?: Beside) => Promise<CallResult>;
  /** Sends invalid bytes as one line or body. */
  readonly send: (text: string, headers?: Beside['headers']) => Promise<string>;
  /** Reads all records on disk, oldest first. */
  readonly records: () => PlainRecord[];
  /** Waits for the record of a call. */
  readonly recordOf: (result: CallResult) => Promise<PlainRecord>;
  /** Waits until the records of all calls so far are written. */
  readonly settled: () => Promise<void>;
  readonly stderr: () => string;
  readonly stop: () => Promise<Finished>;
}

export interface DiagnosedOptions {
  readonly index: string;
  /** Folder of the artifacts. */
  readonly folder: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly isOperator?: boolean;
}

/** Days with a folder, oldest first. */
export function daysIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).sort() : [];
}

/** Every line of every day. */
export function linesIn(folder: string): string[] {
  return daysIn(folder)
    .map((day) => join(folder, day, 'retrieval_diagnostics.jsonl'))
    .filter((file) => existsSync(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n').slice(0, -1));
}

export const recordsIn = (folder: string): PlainRecord[] =>
  linesIn(folder).map((line) => JSON.parse(line) as PlainRecord);

/** The Markdown pages, by the id in their file name. */
export function pagesIn(folder: string): Map<string, string> {
  const files = daysIn(folder).flatMap((day) => readdirSync(join(folder, day)).map((name) => [day, name]));
  return new Map(
    files
      .filter(([, name = '']) => name.endsWith('.md'))
      .map(([day = '', name = '']) => [
        name.slice(0, -'.md'.length),
        readFileSync(join(folder, day, name), 'utf8'),
      ]),
  );
}

/** The id of a call, from `_meta` of its result. */
export function callIdOf({ _meta }: Pick<CallResult, '_meta'>): string {
  return String(_meta?.['pith/tool_call_id']);
}

/** Parses a response: JSON, or a stream with one event. */
function messageIn(body: string): RpcMessage {
  const data = /^data: ?(.+)$/m.exec(body)?.[1] ?? body;
  return JSON.parse(data) as RpcMessage;
}

type Wire = Pick<DiagnosedServer, 'url' | 'request' | 'send'> & { readonly process: PithProcess };

/** Processes of this test file, so that all are stopped even if a test fails. */
const opened: PithProcess[] = [];
/** Timeout for the start; many servers start at once on a busy machine. */
const START_MS = 30_000;

/** Stops every opened server, even if it never responded. */
export async function stopDiagnosed(): Promise<void> {
  await Promise.all(opened.splice(0).map((process) => process.stop()));
}

async function openStdio({ index, folder, env, isOperator }: DiagnosedOptions): Promise<Wire> {
  const operator: Record<string, string> = isOperator ? { PITH_OPERATOR: '1' } : {};
  const stdio = startStdio(index, { env: { RETRIEVAL_DIAGNOSTICS_DIR: folder, ...operator, ...env } });
  opened.push(stdio);
  stdio.write(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: INITIALIZE }));
  await poll('an answer to initialize', () => stdio.lines()[0], START_MS);
  stdio.write(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  const send = async (text: string) => {
    stdio.write(text);
    const { result } = await stdio.request('ping');
    return JSON.stringify(result);
  };
  return { url: '', process: stdio, send, request: stdio.request };
}

async function openHttp({ index, folder, env, isOperator }: DiagnosedOptions): Promise<Wire> {
  const operator: Record<string, string> = isOperator ? { PITH_ADMIN_TOKEN: ADMIN_TOKEN } : {};
  const process = startPith(['http', '--index', index, '--port', '0'], {
    env: { RETRIEVAL_DIAGNOSTICS_DIR: folder, ...operator, ...env },
  });
  opened.push(process);
  const url = await poll('listening', () => /http:\/\/\S+\/mcp/.exec(process.stderr())?.[0], START_MS);
  const bearer: Record<string, string> = isOperator ? { authorization: `Bearer ${ADMIN_TOKEN}` } : {};
  const send = async (body: string, headers: Beside['headers'] = {}) =>
    (await httpRequest(url, { headers: { ...MCP_HEADERS, ...bearer, ...headers }, body })).body;
  const request = async (method: string, params: object = {}, headers: Beside['headers'] = {}) =>
    messageIn(await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), headers));
  await request('initialize', INITIALIZE);
  return { url, process, send, request };
}

/** Starts a server with one transport, whose diagnostics a test can read. */
export async function openDiagnosed(
  transport: TransportName,
  options: DiagnosedOptions,
): Promise<DiagnosedServer> {
  const { folder } = options;
  const wire = await (transport === 'stdio' ? openStdio(options) : openHttp(options));
  const call: DiagnosedServer['call'] = async (name, args = {}, { meta, headers } = {}) => {
    const params = { name, arguments: args, ...(meta ? { _meta: meta } : {}) };
    const { result, error } = await wire.request('tools/call', params, headers);
    if (error) throw new Error(`${name}: ${JSON.stringify(error)}`);
    return result as unknown as CallResult;
  };
  const find = (id: string) => recordsIn(folder).find((record) => record.diagnostic_id === id);
  const recordOf = (result: CallResult) =>
    poll(`a record of ${callIdOf(result)}`, () => find(callIdOf(result)));
  return {
    transport,
    url: wire.url,
    call,
    request: wire.request,
    send: wire.send,
    records: () => recordsIn(folder),
    recordOf,
    // Failed calls always have a record, and records are written in the order of the calls.
    settled: async () => void (await recordOf(await call('kb.search', {}))),
    stderr: wire.process.stderr,
    stop: wire.process.stop,
  };
}
