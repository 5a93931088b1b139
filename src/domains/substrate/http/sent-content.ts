import type { Request } from 'express';
import { InvalidArgumentError } from '../../../core/errors.js';
import type { SentContent } from '../../../mcp/pipeline/streamed-calls.js';

function bodyIncomplete(): InvalidArgumentError {
  return new InvalidArgumentError('The body has ended early. Nothing was stored.', {
    reason: 'body_incomplete',
    hint: 'Send it again.',
  });
}

/** Rejects when the signal fires. */
function over(signal: AbortSignal): Promise<never> {
  const fired = new Promise<never>((_, reject) => {
    const fail = (): void => reject(signal.reason);
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail, { once: true });
  });
  // Nobody may be waiting for it.
  fired.catch(() => undefined);
  return fired;
}

/** The bytes of a body. What is not read stays in the connection, so that the reply can still be sent. */
async function* bodyParts(request: Request, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const parts = request.iterator({ destroyOnReturn: false });
  const ended = over(signal);
  try {
    for (;;) {
      const { done, value } = await Promise.race([parts.next(), ended]);
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
