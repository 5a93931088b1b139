import type { Request } from 'express';
import { unlessAborted } from '../../../core/call-signal.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import type { SentContent } from '../../../mcp/pipeline/streamed-calls.js';

function bodyIncomplete(): InvalidArgumentError {
  return new InvalidArgumentError('The body has ended early. Nothing was stored.', {
    reason: 'body_incomplete',
    hint: 'Send it again.',
  });
}

/** The bytes of a body. What is not read stays in the connection, so that the reply can still be sent. */
async function* bodyParts(request: Request, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const parts = request.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const { done, value } = await unlessAborted(signal, parts.next());
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
