import type { ErrorCode } from './errors.js';
import type { Ranking } from './ranking.js';
import type { SearchAnswer, SectionFilter } from './ports/section-index.port.js';
import type { HostProfile } from './host-profile.js';
import type { LimitReason } from './reply.js';
import type { Scope } from './scope.js';

/** The stages of a retrieval whose time is taken. */
export const STAGES = ['bm25', 'vector_search', 'fusion', 'rerank', 'graph_expansion'] as const;
export type Stage = (typeof STAGES)[number];

/** What was looked for and found: references to what was made anyway, so a call that nobody looks into pays nothing. */
export interface RetrievalTrace {
  /** The documents that were searched; null until something was ranked. */
  filter: SectionFilter | null;
  /** Everything that the index answered. */
  answers: readonly SearchAnswer[];
  /** The ranked list of every part of the question. */
  rankings: readonly Ranking[];
  /** Milliseconds from the beginning of the call until they were there; null before. */
  rankedAtMs: number | null;
  /** Ids of the sections that the reply was made of, best first; of them, some may not have fitted. */
  listed: readonly string[];
  /** Ids of the sections that the result shows, in its order. */
  shown: readonly string[];
  /** How sure an answer is; null for tools that don't say. */
  answerable: { readonly verdict: string; readonly confidence: number } | null;
}

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
  /** Milliseconds per stage of a retrieval. */
  readonly stages: Partial<Record<Stage, number>>;
  /** Null until something was ranked. */
  retrieval: RetrievalTrace | null;
  /** The tool's arguments as its schema reads them; null until they were checked. */
  input: Readonly<Record<string, unknown>> | null;
  /** Whether a diagnostic of this call is written even if it succeeds. */
  isKept: boolean;
  /** Whether diagnostics can be written, as far as is known. */
  isWritable: boolean;
  /** Whether a diagnostic is written if it fails. */
  isRetrieval: boolean;
  /** Whether an operator asked for all that can be told. */
  isDebug: boolean;
  /** What the call was refused or failed with. */
  failure: CallFailure | null;
  /** What the result takes; null where it was not measured. */
  usage: Usage | null;
}

/** What a failed call was answered with. */
export interface CallFailure {
  readonly code: ErrorCode;
  readonly reason: string;
  /** May repeat what the caller sent. */
  readonly message: string;
  /** The error itself, for the command line; stays in this process. */
  readonly thrown?: unknown;
}

/** Of a serialised result. */
export interface Usage {
  /** UTF-8. */
  readonly bytes: number;
  /** Estimated. */
  readonly tokens: number;
  /** Why it holds less than there was. */
  readonly limitReason: LimitReason;
  /** Whether it holds less than there was. */
  readonly isPartial: boolean;
  /** The most that it could have taken. */
  readonly ceilings: { readonly bytes: number; readonly tokens: number };
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
  /** Whether it may look into diagnostics: it holds the admin token, or runs a STDIO process with PITH_OPERATOR=1. */
  readonly isOperator: boolean;
}

/** What ties a call to the traces of others. */
export interface Correlation {
  /** As the client sent it; null where it sent none. */
  readonly correlationId: string | null;
  /** OpenTelemetry's ids, in hex; null where nothing traces. */
  readonly traceId: string | null;
  readonly spanId: string | null;
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
  /** Milliseconds since the call began, in fractions; never goes back. */
  readonly elapsed: () => number;
  readonly correlation: Correlation;
  readonly trace: Trace;
}

/** An empty trace. */
export function newTrace(): Trace {
  return {
    timings: {},
    counts: {},
    drops: {},
    degraded: [],
    stages: {},
    retrieval: null,
    input: null,
    isKept: false,
    isWritable: false,
    isRetrieval: false,
    isDebug: false,
    failure: null,
    usage: null,
  };
}

/** A call that nothing ties to others. */
export const UNCORRELATED: Correlation = { correlationId: null, traceId: null, spanId: null };
