import { once } from 'node:events';
import type { Response } from 'express';
import type { ContentFacts, SendContent } from '../../../mcp/pipeline/streamed-calls.js';

/** Anybody who may upload has written the bytes: no browser may run them, or guess another type. */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'private, no-cache',
};

function headersOf({ sha256, sizeBytes, mediaType }: ContentFacts): Record<string, string> {
  return {
    ...SAFE,
    'Content-Type': mediaType,
    'Content-Length': String(sizeBytes),
    'Content-Disposition': `attachment; filename="${sha256}"`,
    ETag: `"${sha256}"`,
  };
}

/** The content of a reply. */
export interface ReplyContent {
  /** Sends all but the last part, as fast as the reader takes them. */
  readonly send: SendContent;
  /** Sends the last part, when the call has ended well. */
  readonly finish: () => void;
}

/** Sends bytes in a reply. The last part is held back until the call is recorded. */
export function replyContent(response: Response): ReplyContent {
  let head: Readonly<Record<string, string>> = {};
  let held: Uint8Array = new Uint8Array();
  // A connection that breaks is noticed by the signal of the call.
  response.on('error', () => undefined);
  const begin = (): void => {
    if (!response.headersSent) response.writeHead(200, head);
  };
  const write = async (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    begin();
    if (!response.write(held)) await once(response, 'drain', { signal }).catch(() => signal.throwIfAborted());
  };
  return {
    send: async (facts, parts, signal) => {
      head = headersOf(facts);
      for await (const part of parts) {
        if (held.length > 0) await write(signal);
        held = part;
      }
    },
    finish: () => {
      begin();
      response.end(held);
    },
  };
}
