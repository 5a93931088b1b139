const LF = 10;
const CR = 13;

class MessageTooLargeError extends Error {
  constructor(maxBytes: number) {
    super(`the provider sent a message of more than ${maxBytes} bytes`);
  }
}

/** Fails when a message is too long. In a stream of events, an empty line ends a message. */
function limit(maxBytes: number, isStream: boolean): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  let isLineEmpty = false;
  const count = (byte: number): void => {
    size++;
    if (!isStream || byte === CR) return;
    if (byte === LF && isLineEmpty) size = 0;
    isLineEmpty = byte === LF;
  };
  return new TransformStream({
    transform: (chunk, controller) => {
      for (const byte of chunk) {
        count(byte);
        if (size > maxBytes) throw new MessageTooLargeError(maxBytes);
      }
      controller.enqueue(chunk);
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
