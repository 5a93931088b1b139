import { setImmediate as nextTurn } from 'node:timers/promises';

const LF = 10;
const CR = 13;

class MessageTooLargeError extends Error {
  override readonly name = 'MessageTooLargeError';

  constructor(maxBytes: number) {
    super(`the provider sent a message of more than ${maxBytes} bytes`);
  }
}

/** Events of a stream that are passed on in one turn of the event loop, so that a provider who sends many delays no others. */
const EVENTS_PER_TURN = 10;

/** Fails when a message is too long. In a stream of events, an empty line ends a message. */
function limit(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let events = 0;
  let isLineEmpty = false;
  let before = 0;
  /** Lines end with LF, CR or both. @returns true for the end of an event */
  const endsEvent = (byte: number): boolean => {
    const isSecond = byte === LF && before === CR;
    const isLineEnd = byte === LF || byte === CR;
    const isEnd = isStream && isLineEnd && !isSecond && isLineEmpty;
    if (!isSecond) isLineEmpty = isLineEnd;
    before = byte;
    size = isEnd ? 0 : size + 1;
    if (size > maxBytes) throw new MessageTooLargeError(maxBytes);
    return isEnd;
  };
  return new TransformStream({
    transform: async (chunk, controller) => {
      let from = 0;
      for (let i = 0; i < chunk.length; i++) {
        if (!endsEvent(chunk[i] ?? 0) || ++events % EVENTS_PER_TURN > 0) continue;
        controller.enqueue(chunk.subarray(from, i + 1));
        from = i + 1;
        await nextTurn();
      }
      if (from < chunk.length) controller.enqueue(chunk.subarray(from));
    },
  });
}

/** Limits the size of each message in a response: of the whole body, or of each event of a stream. */
export function boundedFetch(send: typeof fetch, maxBytes: number): typeof fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(limit(maxBytes, isStream)), {
      status,
      statusText,
      headers,
    });
  };
}
