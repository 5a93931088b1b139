import type { Call, CallFailure, Correlation, Usage } from '../../core/call.js';

/** The field of `_meta` of the calls with which a page shows an answer: nobody reads on by them. */
export const SHOWS_ANSWER = 'pith/shows_answer';

/** Facts that are known when a call starts. */
export interface CallStart {
  readonly id: string;
  readonly transport: 'stdio' | 'http';
  /** `tools/call`, `resources/read`, … */
  readonly method: string;
  /** The tool's canonical name; null for other methods and for unknown names. */
  readonly tool: string | null;
  /** The name of the tool as the client sent it, known or not; null for other methods. */
  readonly requestedTool: string | null;
  /** The request's `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Headers of the HTTP request, names in lower case; empty over STDIO. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A finished call, as observers receive it. */
export interface FinishedCall {
  /** Includes its scope and trace. */
  readonly call: Call;
  readonly start: CallStart;
  /** The arguments as they were sent. */
  readonly args: unknown;
  readonly durationMs: number;
  /** True if the caller cancelled it. */
  readonly isCancelled: boolean;
  /** Null for a call that succeeded or was cancelled. */
  readonly error: CallFailure | null;
  readonly usage: Usage;
}

/** Receives every finished call. */
export interface CallObserver {
  /** True if it is called before the answer is returned; it has to be quick then. Default: one turn later. */
  readonly isPrompt?: boolean;
  observe(finished: FinishedCall): void;
}

/** A running call that is observed. */
export interface WatchedCall {
  readonly correlation: Correlation;
  /** True when sampling selected the call; a diagnostic is then written if it is a retrieval. */
  readonly isSampled: boolean;
  /** False when diagnostics are known not to be writable. */
  readonly isWritable: boolean;
  /** True when the trace keeps all candidates. Default: only when an operator asks for it. */
  readonly isDebug?: boolean;
  /** Called once, after the answer is made. It never throws, and nothing waits for it. */
  readonly end: (finished: FinishedCall) => void;
}

/** Observes every call. */
export abstract class CallWatch {
  abstract readonly begin: (start: CallStart) => WatchedCall;
}
