import type { Call, Correlation, CallFailure, Usage } from '../../core/call.js';

/** A call as it begins. */
export interface CallStart {
  readonly id: string;
  readonly transport: 'stdio' | 'http';
  /** `tools/call`, `resources/read`, … */
  readonly method: string;
  /** The tool's own name, whatever the spelling; null for other methods and for names that no tool has. */
  readonly tool: string | null;
  /** What the client says beside the arguments: the request's `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Of the HTTP request, names in lower case; empty over STDIO. */
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A call that has been answered. */
export interface FinishedCall {
  /** With its scope and its trace. */
  readonly call: Call;
  readonly start: CallStart;
  /** The arguments as they were sent. */
  readonly args: unknown;
  readonly durationMs: number;
  /** Null where it succeeded. */
  readonly error: CallFailure | null;
  readonly usage: Usage;
}

/** Somebody who looks on while a call runs. */
export interface WatchedCall {
  readonly correlation: Correlation;
  /** Whether it is among those of which a diagnostic is written, if it is a retrieval. */
  readonly isSampled: boolean;
  /** Whether diagnostics can be written, as far as is known. */
  readonly isWritable: boolean;
  /** Whether its trace holds all candidates. Default: only where an operator asks for it. */
  readonly isDebug?: boolean;
  /** Told once, after the answer is made; never throws, and nothing waits for it. */
  readonly end: (finished: FinishedCall) => void;
}

/** Looks on at every call. */
export interface CallWatch {
  readonly begin: (start: CallStart) => WatchedCall;
}
