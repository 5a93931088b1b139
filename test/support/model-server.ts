import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A fault of a model server. */
export type ModelFault =
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter?: string }
  | { readonly kind: 'slow'; readonly ms: number }
  | { readonly kind: 'garbage'; readonly body: string }
  | { readonly kind: 'dimensions'; readonly dimensions: number }
  | { readonly kind: 'hang-up' };

/** A recorded request. */
export interface ModelRequest {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A model server with every API dialect, without a model. */
export interface ModelServer {
  readonly url: string;
  readonly requests: ModelRequest[];
  /** Applied one per request, before it responds normally again; `always` stays. */
  readonly faults: ModelFault[];
  always: ModelFault | null;
  readonly close: () => Promise<void>;
}

export const SERVER_DIMENSIONS = 16;

/** A deterministic vector, similar to those of texts with the same words. */
export function vectorFor(text: string, dimensions = SERVER_DIMENSIONS): number[] {
  const vector = new Array<number>(dimensions).fill(0.01);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const at = createHash('sha256').update(word).digest().readUInt16BE(0) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
}

/** The share of a question's words that are in a text. */
export function likenessOf(question: string, text: string): number {
  const words = (of: string): string[] => of.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const held = new Set(words(text));
  const asked = words(question);
  return asked.filter((word) => held.has(word)).length / Math.max(1, asked.length);
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [String(value)]);

type Answer = (body: Readonly<Record<string, unknown>>, dimensions: number) => unknown;

const ranked = (body: Readonly<Record<string, unknown>>, key: string): { index: number; score: number }[] =>
  textsOf(body[key])
    .map((text, index) => ({ index, score: likenessOf(String(body['query']), text) }))
    .sort((a, b) => b.score - a.score);

/** Responses like those of real servers; for OpenAI out of order, which the API allows. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  '/v1/embeddings': ({ input, model }, dimensions) => ({
    object: 'list',
    model,
    data: textsOf(input)
      .map((text, index) => ({ object: 'embedding', index, embedding: vectorFor(text, dimensions) }))
      .reverse(),
    usage: { prompt_tokens: 1, total_tokens: 1 },
  }),
  '/embed': ({ inputs }, dimensions) => textsOf(inputs).map((text) => vectorFor(text, dimensions)),
  '/api/embed': ({ input, model }, dimensions) => ({
    model,
    embeddings: textsOf(input).map((text) => vectorFor(text, dimensions)),
  }),
  '/rerank': (body) => ranked(body, 'texts'),
  '/v2/rerank': (body) => ({
    id: 'x',
    results: ranked(body, 'documents').map(({ index, score }) => ({ index, relevance_score: score })),
  }),
};

async function bodyOf(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

function send(response: ServerResponse, status: number, body: string, headers: object = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
}

/** @returns true if the fault is the complete response */
async function suffer(fault: ModelFault, response: ServerResponse): Promise<boolean> {
  if (fault.kind === 'status') {
    const { status, retryAfter } = fault;
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    send(response, status, '{"error":"the key sk-secret is wrong"}', headers);
  }
  if (fault.kind === 'garbage') send(response, 200, fault.body);
  if (fault.kind === 'hang-up') response.destroy();
  if (fault.kind === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms).unref());
  return fault.kind !== 'slow' && fault.kind !== 'dimensions';
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  server: ModelServer,
): Promise<void> {
  const body = await bodyOf(request);
  const path = request.url ?? '';
  server.requests.push({ path, authorization: request.headers.authorization, body });
  const fault = server.faults.shift() ?? server.always;
  if (fault && (await suffer(fault, response))) return;
  const dimensions = fault?.kind === 'dimensions' ? fault.dimensions : SERVER_DIMENSIONS;
  const known = ANSWERS[path];
  if (!known) return send(response, 404, '{}');
  send(response, 200, JSON.stringify(known(body, dimensions)));
}

/** Starts a model server on a free local port. */
export async function startModelServer(): Promise<ModelServer> {
  const http: Server = createServer((request, response) => {
    answer(request, response, server).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const { port } = http.address() as AddressInfo;
  const server: ModelServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    faults: [],
    always: null,
    close: () =>
      new Promise((resolve) => {
        http.close(() => resolve());
        http.closeAllConnections();
      }),
  };
  return server;
}
