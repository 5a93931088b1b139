import type { DiagnosticEmitter } from '../diagnostics/archive/diagnostic-emitter.js';
import type { CallObserver, CallStart, CallWatch, FinishedCall } from '../mcp/pipeline/call-watch.js';
import type { StartedSpan } from './call-spans.js';

/** The observers of this process besides diagnostics and spans. */
export class CallObservers {
  constructor(readonly all: readonly CallObserver[]) {}
}

/** Receivers of a finished call. */
export interface CallReceivers {
  /** Null if nothing may be written about calls. */
  readonly emitter: DiagnosticEmitter | null;
  readonly startSpan: (start: CallStart) => StartedSpan;
  readonly observers: readonly CallObserver[];
  /** Called when an observer fails; the call is unaffected. */
  readonly onFailure: (error: unknown) => void;
}

/** A client's correlation id; longer texts and other characters are not accepted as one. */
const CORRELATION_ID = /^[\w.:-]{1,128}$/;

function correlationIdOf({ meta, headers }: CallStart): string | null {
  const given = [
    meta['correlation_id'],
    meta['correlationId'],
    headers['x-correlation-id'],
    headers['x-request-id'],
  ];
  return given.find((id): id is string => typeof id === 'string' && CORRELATION_ID.test(id)) ?? null;
}

/** Combines the observers of calls. All but prompt ones run after the answer is sent, so the caller never waits for them. */
export function watchCalls({ emitter, startSpan, observers, onFailure }: CallReceivers): CallWatch {
  // An observer that fails does not affect the others.
  const safely = <T>(tell: () => T): T | null => {
    try {
      return tell();
    } catch (error) {
      onFailure(error);
      return null;
    }
  };
  const observe = (finished: FinishedCall, isPrompt: boolean): void => {
    for (const observer of observers)
      if ((observer.isPrompt ?? false) === isPrompt) safely(() => observer.observe(finished));
  };
  const tell = (span: StartedSpan, finished: FinishedCall): void => {
    const record = safely(() => emitter?.emit(finished) ?? null);
    const isTraced = emitter !== null && finished.call.trace.isRetrieval && span.isRecording;
    const told = record ?? (isTraced ? safely(() => emitter.describe(finished)) : null);
    safely(() => span.end(finished, told));
    observe(finished, false);
  };
  return {
    begin: (start) => {
      const span = startSpan(start);
      return {
        correlation: { ...span.correlation, correlationId: correlationIdOf(start) },
        isSampled: emitter?.samples() ?? false,
        isWritable: emitter?.accepts() ?? false,
        end: (finished) => {
          observe(finished, true);
          setImmediate(() => tell(span, finished));
        },
      };
    },
  };
}
