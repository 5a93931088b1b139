import type { HostProfile } from './mcp/host-profiles.js';
import type { Scope } from './scope/scope.js';

/** What the stages of one call write down; diagnostics only read it. */
export interface Trace {
  /** Milliseconds per stage, in the order the stages ran. */
  readonly timings: Record<string, number>;
  /** Items that went in or came out of a stage. */
  readonly counts: Record<string, number>;
  /** Items that were left out, by reason. */
  readonly drops: Record<string, number>;
  /** Legs of the retrieval that could not answer. */
  readonly degraded: string[];
}

/** Who is calling, as far as the transport could tell. */
export interface Caller {
  /** The authenticated principal, or `local`. */
  readonly principal: string;
  /** What passages belong to. */
  readonly sessionId: string;
  readonly host: HostProfile;
  /** Whether it runs the process itself, and so may know where its files are. */
  readonly isLocal: boolean;
}

/** One call, one value: built once at the edge, first argument of every service method. */
export interface Call {
  readonly id: string;
  readonly caller: Caller;
  readonly scope: Scope;
  /** Fires when the client cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly trace: Trace;
}

/** An empty trace. */
export function newTrace(): Trace {
  return { timings: {}, counts: {}, drops: {}, degraded: [] };
}
