import type { Request } from 'express';
import { InvalidArgumentError } from '../../../core/errors.js';
import type { SentContent } from '../../../mcp/pipeline/streamed-calls.js';

function bodyIncomplete(): InvalidArgumentError {
  return new InvalidArgumentError('The body has ended early. Nothing was stored.', {
    reason: 'body_incomplete',
    hint: 'Send it again.',
  });
}

/** Resolves as the promise does. Rejects at once if the signal fires. */
function unlessOver<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    // Not a race with one promise for all parts: that promise would keep every part until the end.
    signal.addEventListener('abort', stop, { once: true });
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The bytes of a body. What is not read stays in the connection, so that the reply can still be sent. */
async function* bodyParts(request: Request, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const parts = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done, value } = await unlessOver(parts.next(), signal);
      if (done) return;
      yield value;
    }
  } catch {
    signal.throwIfAborted();
    throw bodyIncomplete();
  } finally {
    parts.return?.().catch(() => undefined);
  }
}

/** The body of a request, as the content of a call. */
export function sentContent(request: Request): SentContent {
  const length = request.get('content-length');
  return {
    declaredBytes: length === undefined ? null : Number(length),
    read: (signal) => bodyParts(request, signal),
  };
}
