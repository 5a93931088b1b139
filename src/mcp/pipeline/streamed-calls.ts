import type { McpContext } from '@rekog/mcp-nest';
import type { CallFailure } from '../../core/call.js';

/** The body of an HTTP request, for a call that takes its content from there. */
export interface SentContent {
  /** By `Content-Length`; null without it. */
  readonly declaredBytes: number | null;
  /** The bytes while they arrive. @throws the reason of the signal; InvalidArgumentError `body_incomplete` */
  readonly read: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** Headers of an HTTP reply about the bytes in its body. */
export interface ContentFacts {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly mediaType: string;
}

/** Sends bytes in an HTTP reply. All but the last part are sent when the promise resolves. */
export type SendContent = (
  facts: ContentFacts,
  parts: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
) => Promise<void>;

/** A call of a tool whose content is the body of an HTTP request or of its reply. */
export interface StreamedCall {
  /** Null if the request has no content. */
  readonly sent: SentContent | null;
  /** Null if the reply has no content. */
  readonly send: SendContent | null;
  /** The output of the tool; null before. */
  output: object | null;
  /** The error of the call; null before its end, and if it succeeded. */
  failure: CallFailure | null;
}

/** The streamed calls that run now, by their HTTP request. */
const calls = new WeakMap<object, StreamedCall>();

/** Registers a streamed call, before its tool is called for this HTTP request. */
export const beginStreamed = (request: object, call: StreamedCall): void => void calls.set(request, call);

/** The streamed call of an HTTP request; undefined for other calls. */
export const streamedIn = (request: unknown): StreamedCall | undefined =>
  typeof request === 'object' && request !== null ? calls.get(request) : undefined;

/** The streamed call that a tool is invoked for; undefined for other calls. */
export const streamedCallOf = (context: McpContext): StreamedCall | undefined =>
  streamedIn(context.getRawRequest());
