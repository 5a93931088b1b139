import { callSignal } from '../../core/call-signal.js';
import { isBackendLost } from '../../core/errors.js';
import type { SearchAnswer } from '../../core/ports/section-index.port.js';

/** A port with other implementations of some methods; the rest is that of `inner`. */
export function decorated<Port extends object>(inner: Port, methods: Partial<Port>): Port {
  const get = (_: Port, name: string | symbol): unknown => {
    const owner = name in methods ? methods : inner;
    const member: unknown = Reflect.get(owner, name);
    return typeof member === 'function' ? member.bind(owner) : member;
  };
  return new Proxy(inner, { get });
}

/** Waits for a model. @returns null if the model is unavailable */
export async function orNullIfLost<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    // An exceeded call deadline is not a failure of the model.
    if (!isBackendLost(error) || callSignal()?.aborted) throw error;
    return null;
  }
}

/** Marks an answer as degraded: one ranking signal was not available. */
export function markDegraded(answer: SearchAnswer, signal: 'vector' | 'rerank'): SearchAnswer {
  return { ...answer, degraded: [...new Set([...(answer.degraded ?? []), signal])] };
}
