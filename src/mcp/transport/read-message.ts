import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  specTypeSchemas,
  type StandardSchemaV1,
  type StandardSchemaV1Sync,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { exceededBound } from '../../text/nesting.js';
import { plainLine } from '../../text/plain-line.js';
import { clipText } from '../../text/span.js';

/** The `error` of a JSON-RPC error. */
interface Problem {
  readonly code: ProtocolErrorCode;
  readonly message: string;
  readonly data?: object;
}

/** The SDK's own schemas of requests, which hold for every protocol version. */
const REQUESTS: ReadonlyMap<string, StandardSchemaV1Sync> = new Map(
  Object.entries({
    initialize: specTypeSchemas.InitializeRequest,
    ping: specTypeSchemas.PingRequest,
    'server/discover': specTypeSchemas.DiscoverRequest,
    'tools/list': specTypeSchemas.ListToolsRequest,
    'tools/call': specTypeSchemas.CallToolRequest,
    'resources/list': specTypeSchemas.ListResourcesRequest,
    'resources/templates/list': specTypeSchemas.ListResourceTemplatesRequest,
    'resources/read': specTypeSchemas.ReadResourceRequest,
    'resources/subscribe': specTypeSchemas.SubscribeRequest,
    'resources/unsubscribe': specTypeSchemas.UnsubscribeRequest,
    'subscriptions/listen': specTypeSchemas.SubscriptionsListenRequest,
    'prompts/list': specTypeSchemas.ListPromptsRequest,
    'prompts/get': specTypeSchemas.GetPromptRequest,
    'completion/complete': specTypeSchemas.CompleteRequest,
    'logging/setLevel': specTypeSchemas.SetLevelRequest,
  }),
);

/** Methods that 2026-07-28 removed. */
const REMOVED = ['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'];

const MAX_METHOD = 128;
const MAX_MESSAGE = 400;
const MAX_ISSUES = 4;

/** Limits the length of a string; other types are left to the method's own schema. */
const atMost = (chars: number): z.ZodType =>
  z
    .unknown()
    .refine((value) => typeof value !== 'string' || value.length <= chars, `longer than ${chars} characters`)
    .optional();

/** Length limits for parameters that the SDK repeats in errors and warnings. */
const anyRequest = z.object({
  params: z
    .looseObject({
      name: atMost(256),
      uri: atMost(2_048),
      protocolVersion: atMost(64),
      _meta: z.looseObject({ [PROTOCOL_VERSION_META_KEY]: atMost(64) }).optional(),
    })
    .optional(),
});

function toProblem(method: string, issues: readonly StandardSchemaV1.Issue[]): Problem {
  const keyOf = (part: PropertyKey | StandardSchemaV1.PathSegment): string =>
    String(typeof part === 'object' ? part.key : part);
  const lines = issues
    .slice(0, MAX_ISSUES)
    .map(({ path = [], message }) => `${path.map(keyOf).join('.')}: ${message}`);
  const message = plainLine(clipText(`Invalid request ${method}. ${lines.join('; ')}.`, MAX_MESSAGE));
  const hint = 'Correct the named parameters and send the request again.';
  const data = { code: 'INVALID_ARGUMENT', message, details: { reason: 'invalid_input', hint } };
  return { code: ProtocolErrorCode.InvalidParams, message, data };
}

/** Describes the problem with a request's method or parameters; null if the SDK will accept them. */
function paramsProblem(method: string, params: unknown): Problem | null {
  if (method.length > MAX_METHOD)
    return { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found' };
  const request = { method, params };
  const { error, data } = anyRequest.safeParse(request);
  // The SDK says that the method does not exist.
  if (data?.params?._meta?.[PROTOCOL_VERSION_META_KEY] !== undefined && REMOVED.includes(method)) return null;
  const issues = error?.issues ?? REQUESTS.get(method)?.['~standard'].validate(request).issues;
  return issues ? toProblem(method, issues) : null;
}

type RequestId = string | number | null;

/** A JSON-RPC error that answers a message which is not passed to the SDK. */
export interface MessageRefusal {
  readonly jsonrpc: '2.0';
  /** Null when the message has no usable id. */
  readonly id: RequestId;
  readonly error: Problem;
}

/** The messages that were sent, or the refusal. */
export type ReadMessage =
  | {
      readonly messages: readonly JSONRPCMessage[];
      /** True for a batch, which may have one message. */
      readonly isBatch: boolean;
    }
  | { readonly refusal: MessageRefusal };

/** The SDK's limit. */
const MAX_BATCH = 100;
/** The first protocol version without batches. */
const FIRST_WITHOUT_BATCHES = '2025-06-18';

const idSchema = z.union([z.string(), z.int()]);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** True for protocol versions with batches; false for unknown ones. Versions are dates. */
export function hasBatches(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d\d-\d\d$/.test(version) && version < FIRST_WITHOUT_BATCHES;
}

/** Makes the refusal of a message. @param id  null when it can't be read */
export function refusal(code: ProtocolErrorCode, message: string, id: RequestId = null): MessageRefusal {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

const refused = (...why: Parameters<typeof refusal>): ReadMessage => ({ refusal: refusal(...why) });

/**
 * Reads a message and checks it before the SDK does. Over STDIO, the SDK drops messages that it can't parse; it answers
 * invalid parameters with an internal error and its validator's output.
 */
export function readMessage(bytes: Uint8Array, allowsBatches: boolean): ReadMessage {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refused(ProtocolErrorCode.ParseError, 'Parse error: the message is not UTF-8.');
  }
  const exceeded = exceededBound(text);
  if (exceeded !== null)
    return refused(ProtocolErrorCode.InvalidRequest, `Invalid request: the message ${exceeded}.`);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    const message = 'Parse error: the message is not JSON without a byte order mark.';
    return refused(ProtocolErrorCode.ParseError, message);
  }
  return Array.isArray(body) ? readBatch(body, allowsBatches) : readOne(body);
}

function readBatch(bodies: readonly unknown[], isAllowed: boolean): ReadMessage {
  if (!isAllowed) {
    const message = `Invalid request: protocol version ${FIRST_WITHOUT_BATCHES} removed batches. Send each message alone.`;
    return refused(ProtocolErrorCode.InvalidRequest, message);
  }
  if (bodies.length === 0 || bodies.length > MAX_BATCH) {
    const message = `Invalid request: a batch has 1 to ${MAX_BATCH} messages.`;
    return refused(ProtocolErrorCode.InvalidRequest, message);
  }
  const messages: JSONRPCMessage[] = [];
  for (const body of bodies) {
    const read = readOne(body);
    if ('refusal' in read) return read;
    messages.push(...read.messages);
  }
  const ids = messages.filter(isJSONRPCRequest).map(({ id }) => id);
  if (new Set(ids).size < ids.length)
    return refused(
      ProtocolErrorCode.InvalidRequest,
      'Invalid request: two requests of the batch have the same id.',
    );
  return { messages, isBatch: true };
}

/** Leaves out arguments that are null; those of tools are checked with the schema of the tool. */
function withoutNull(method: unknown, params: unknown): unknown {
  const { arguments: args, ...others }: Readonly<Record<string, unknown>> = { ...Object(params) };
  if (args === null) return others;
  if (method !== 'prompts/get' || typeof args !== 'object') return params;
  const given = Object.entries(args).filter(([, value]) => value !== null);
  return { ...others, arguments: Object.fromEntries(given) };
}

function readOne(sent: unknown): ReadMessage {
  if (typeof sent !== 'object' || sent === null) {
    const message = 'Invalid request: a message is a JSON object.';
    return refused(ProtocolErrorCode.InvalidRequest, message);
  }
  const fields: Readonly<Record<string, unknown>> = { ...sent };
  const { jsonrpc, id: given, method, error } = fields;
  const params = withoutNull(method, fields['params']);
  const body: object = params === fields['params'] ? sent : { ...fields, params };
  // Answering an error with an error could loop forever.
  if (error !== undefined && method === undefined)
    return { messages: isMessage(body) ? [body] : [], isBatch: false };
  const id = idSchema.safeParse(given).data ?? null;
  if (jsonrpc === '2.0' && typeof method === 'string' && id !== null) {
    const problem = paramsProblem(method, params);
    if (problem) return { refusal: { jsonrpc: '2.0', id, error: problem } };
  }
  if (isMessage(body)) return { messages: [body], isBatch: false };
  const message = 'Invalid request: the message is not JSON-RPC 2.0.';
  return refused(ProtocolErrorCode.InvalidRequest, message, id);
}

function isMessage(body: unknown): body is JSONRPCMessage {
  return (
    isJSONRPCRequest(body) ||
    isJSONRPCNotification(body) ||
    isJSONRPCResultResponse(body) ||
    isJSONRPCErrorResponse(body)
  );
}
