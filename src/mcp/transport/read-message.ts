import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { z } from 'zod';
import { MAX_LEVELS } from '../../text/nesting.js';
import { paramsProblem, type Problem } from './check-params.js';

type RequestId = string | number | null;

/** A JSON-RPC error that answers a message which is not passed to the SDK. */
export interface Refusal {
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
  | { readonly refusal: Refusal };

/**
 * Largest number of keys and array items of a message. The schemas of the tools permit 58,005 of them at most, in a call of
 * substrate.manifest.create with 2,000 entries and 2,000 removed paths. Each costs about a microsecond of the main thread.
 */
export const MAX_MESSAGE_VALUES = 60_000;

/**
 * Largest number of keys of one object. The schemas of the tools permit less than a hundred; tools of providers may take
 * maps. Time per key grows with the size of the object: 60,000 keys in one object take a second, in sixty a tenth of it.
 */
const MAX_KEYS = 1_000;
/** The SDK's limit. */
const MAX_BATCH = 100;
/** The first protocol version without batches. */
const FIRST_WITHOUT_BATCHES = '2025-06-18';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

const idSchema = z.union([z.string(), z.int()]);
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** True for protocol versions with batches; false for unknown ones. Versions are dates. */
export function hasBatches(version: string | undefined): boolean {
  return version !== undefined && /^\d{4}-\d\d-\d\d$/.test(version) && version < FIRST_WITHOUT_BATCHES;
}

/** Makes the refusal of a message. @param id  null when it can't be read */
export function refusal(code: ProtocolErrorCode, message: string, id: RequestId = null): Refusal {
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
  return { messages, isBatch: true };
}

function readOne(body: unknown): ReadMessage {
  if (typeof body !== 'object' || body === null) {
    const message = 'Invalid request: a message is a JSON object.';
    return refused(ProtocolErrorCode.InvalidRequest, message);
  }
  const { jsonrpc, id: given, method, params, error }: Readonly<Record<string, unknown>> = { ...body };
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

/**
 * Checks the size of JSON text before it is parsed.
 * @returns the exceeded limit in words that follow "the message"; null if the size is allowed
 */
function exceededBound(text: string): string | null {
  /** The keys of the open objects; the current one is last. */
  const keys = [0];
  let values = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfString(text, i);
    else if (OPENING.has(code)) {
      values++;
      if (keys.push(0) > MAX_LEVELS + 1) return `is nested more than ${MAX_LEVELS} levels deep`;
    } else if (CLOSING.has(code)) keys.pop();
    else if (code === COMMA) values++;
    else if (code === COLON) {
      const count = (keys.pop() ?? 0) + 1;
      if (count > MAX_KEYS) return `has an object with more than ${MAX_KEYS} keys`;
      keys.push(count);
    }
    // Each array or object that is not empty has one value more than commas.
    if (values > MAX_MESSAGE_VALUES) return `has more than ${MAX_MESSAGE_VALUES} keys and array items`;
  }
  return null;
}

/** Finds the end of a string. @param start  of its opening quotation mark @returns that of the closing one, or the end of the text */
function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) i++;
    else if (code === QUOTE) return i;
  }
  return text.length;
}
