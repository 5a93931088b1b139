import { exceededBound } from '../../../text/nesting.js';
import { MAX_MESSAGE_BYTES, MessageBytes, MessageRate, MessageRefusedError } from './message-gate.js';

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
