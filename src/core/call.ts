// src/core: the values every folder uses (Call, Reply, Scope, errors, cursors, sections, the graph model), turns and clocks (`turns/`), and the ports of answering; no framework, no I/O
import type { ErrorCode } from './errors.js';
import type { HostProfile } from './host-profile.js';
import type { SearchAnswer, SectionFilter } from './ports/section-index.port.js';
import type { Ranking } from './ranking.js';
import type { LimitReason, Ref } from './reply.js';
import type { Scope, ScopeLimit } from './scope.js';

/** The measured stages of a retrieval. */
export const STAGES = ['bm25', 'vector_search', 'fusion', 'rerank', 'graph_expansion'] as const;
export type Stage = (typeof STAGES)[number];

/** The steps of one retrieval. It only references existing objects, so it costs nothing without a diagnostic. */
export interface RetrievalTrace {
  /** The filter of the search; null until something was ranked. */
  filter: SectionFilter | null;
  answers: readonly SearchAnswer[];
  /** One ranked list for each part of the question. */
  rankings: readonly Ranking[];
  /** Milliseconds from the start of the call to the rankings; null before. */
  rankedAtMs: number | null;
  /** Ids of the sections selected for the reply, best first. Some of them may not have fitted. */
  listed: readonly string[];
  /** Ids of the sections in the result, in its order. */
  shown: readonly string[];
  /** Confidence that the question can be answered; null for tools that don't compute it. */
  answerable: { readonly verdict: string; readonly confidence: number } | null;
}

/** Facts about the text of a section, passage or document that its readers must know. */
export interface TextCaution {
  /** The repository if it is not trusted, else null. */
  readonly untrusted: string | null;
  /** The id of the section or document that has lost invisible characters, else null. */
  readonly changed: string | null;
}

/** Observations of one call. Any stage may add to them; diagnostics and telemetry read them, and the answer shows its warnings. */
export interface Trace {
  /** Milliseconds per pipeline stage, in order of execution. */
  readonly timings: Record<string, number>;
  /** Number of items before or after a stage. */
  readonly counts: Record<string, number>;
  /** Number of items left out, by reason. */
  readonly drops: Record<string, number>;
  /** Parts of the retrieval that failed. */
  readonly degraded: string[];
  /** Notes for the caller that change nothing about the result. */
  readonly warnings: string[];
  /** Since when the documents that the call reads could not be indexed again; null if they could. */
  unreadSince: string | null;
  /** Names of the repositories that are not trusted. */
  untrusted: ReadonlySet<string>;
  /** Name of the named corpus that is read; null for the index of the server. */
  corpus: string | null;
  /** By id of a section, passage or document that was read; only those with a caution. */
  readonly cautions: Map<string, TextCaution>;
  /** SHA-256 of the artifact by id of a section, passage or document that was read; only for indexes of manifests. */
  readonly artifacts: Map<string, string>;
  /** Milliseconds per retrieval stage. */
  readonly stages: Partial<Record<Stage, number>>;
  /** Null until sections are ranked. */
  retrieval: RetrievalTrace | null;
  /** True to write a diagnostic even if the call succeeds. */
  isKept: boolean;
  /** True when diagnostics can be written, as far as known. */
  isWritable: boolean;
  /** True to write a diagnostic if the call fails. */
  isRetrieval: boolean;
  /** True when an operator requested all details. */
  isDebug: boolean;
  /** The objects that the result points to; empty before there is a result. */
  refs: readonly Ref[];
  /** The error of the call; null if it succeeded. */
  failure: CallFailure | null;
  /** Size of the result; null if not measured. */
  usage: Usage | null;
  /** Bytes of content that were sent beside the result. */
  streamedBytes: number;
}

/** Who approves: the user at the caller's own host, or an operator of the server. */
export const APPROVERS = ['caller', 'operator'] as const;
export type Approver = (typeof APPROVERS)[number];

/** How a call is approved. */
export interface ApprovalTerms {
  /** `approve`, or `review` for two operators. */
  readonly effect: 'approve' | 'review';
  readonly approver: Approver;
  /** The reason of the rule; null if it gives none. */
  readonly reason: string | null;
  /** Milliseconds from the request until it expires. */
  readonly lifetimeMs: number;
}

/** The decision of the policy about a call. */
export interface PolicyDecision {
  /** The tool that was decided about. */
  readonly tool: string;
  /** The rule that decided, and its effect. */
  readonly rule: string;
  readonly effect: string;
  /** How the call is approved; absent or null if it needs no approval. */
  readonly approval?: ApprovalTerms | null;
}

/** The error that a failed call returned. */
export interface CallFailure {
  readonly code: ErrorCode;
  readonly reason: string;
  /** May contain input of the caller. */
  readonly message: string;
  /** As the caller receives them, with the reason and the hint. Default: the reason alone. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The error itself, for the command line; stays in this process. */
  readonly thrown?: unknown;
}

/** Size of a serialised result. */
export interface Usage {
  /** UTF-8 bytes. */
  readonly bytes: number;
  /** Estimated tokens. */
  readonly tokens: number;
  /** The limit that reduced the result. */
  readonly limitReason: LimitReason;
  readonly isPartial: boolean;
  readonly ceilings: { readonly bytes: number; readonly tokens: number };
}

/** Permissions of principals. `read`: tools that read. `operator`: diagnostics, admin console. `approve`: decides approvals. */
export const PERMISSIONS = ['read', 'operator', 'approve'] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** The limits of one caller. If a field is absent, the setting of the server applies. */
export interface Allowance {
  /** Names those whose calls are counted together. Default: the principal. */
  readonly countedAs?: string;
  /** 0 for no limit. */
  readonly callsPerMinute?: number;
  readonly concurrentCalls?: number;
  /** Bytes of results per day (UTC); absent for no limit. */
  readonly bytesPerDay?: number;
}

/** The caller, as identified by the transport. */
export interface Caller {
  /** The authenticated principal, or `local`. */
  readonly principal: string;
  /** The session that owns the passages. */
  readonly sessionId: string;
  /** The agent that the principal acts as; it decides which tools are offered. */
  readonly agent: string;
  readonly permissions: readonly Permission[];
  /** Names or patterns of the only tools that it may use; null for all. */
  readonly tools: readonly string[] | null;
  /** The largest scope that its calls can have, within that of the server. */
  readonly scopeLimit: ScopeLimit;
  readonly allowance: Allowance;
  /** The tag that rows of memory need for this caller to see them; null for none. */
  readonly memoryTag: string | null;
  readonly host: HostProfile;
  /** True when the caller runs the process itself and may therefore see file paths. */
  readonly isLocal: boolean;
  /** The origin of the server, as this caller reached it, if documents can be read there; absent elsewhere. */
  readonly readerOrigin?: string;
  /** True with the permission `operator`. */
  readonly isOperator: boolean;
}

/** Ids that connect a call with traces of other systems. */
export interface Correlation {
  /** From the client; null if it sent none. */
  readonly correlationId: string | null;
  /** OpenTelemetry ids, in hex; null without tracing. */
  readonly traceId: string | null;
  readonly spanId: string | null;
}

/** One tool call. Created once by the transport layer, and the first argument of every service method. */
export interface Call {
  readonly id: string;
  readonly caller: Caller;
  /** The run that the client names in `_meta`; null if it names none. */
  readonly namedRun: string | null;
  readonly scope: Scope;
  /** The scope of the caller, if the request narrowed it. */
  readonly callerScope?: Scope;
  /** Fires when the client cancels or the deadline passes. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Milliseconds since the start of the call, with fractions; monotonic. */
  readonly elapsed: () => number;
  readonly correlation: Correlation;
  readonly decisions: Decisions;
  readonly trace: Trace;
}

/** The facts that the stages of a call decide. */
type Decided = Omit<Decisions, 'decide'>;

/** The decisions of the stages of a call. Each is made once, by one stage; later stages and records read it. */
export class Decisions {
  /** The arguments of the tool as parsed by its schema; null until they are validated. */
  readonly input: Readonly<Record<string, unknown>> | null = null;
  /** The decision of the policy; null before, or if nothing governs the server. */
  readonly policy: PolicyDecision | null = null;
  /** The approval that lets the call run, or that it still needs; null if none is needed. */
  readonly approvalId: string | null = null;
  /** Reason of a refusal in the run ledger; the caller gets a less specific one. Null otherwise. */
  readonly refusedAs: string | null = null;
  /** The run that the call belongs to; null before it is known, or without a ledger. */
  readonly run: string | null = null;
  /** True when the ledger has recorded the start. */
  readonly isStarted: boolean = false;

  /** @throws Error if a fact is decided already */
  decide(facts: Partial<Decided>): void {
    const current = new Map<string, unknown>(Object.entries(this));
    const decided = Object.keys(facts).find(
      (name) => current.get(name) !== null && current.get(name) !== false,
    );
    if (decided !== undefined) throw new Error(`${decided} is decided already`);
    Object.assign(this, facts);
  }
}

export function newTrace(): Trace {
  return {
    timings: {},
    counts: {},
    drops: {},
    degraded: [],
    warnings: [],
    unreadSince: null,
    untrusted: new Set(),
    corpus: null,
    cautions: new Map(),
    artifacts: new Map(),
    stages: {},
    retrieval: null,
    isKept: false,
    isWritable: false,
    isRetrieval: false,
    isDebug: false,
    refs: [],
    failure: null,
    usage: null,
    streamedBytes: 0,
  };
}

/** A correlation without any ids. */
export const UNCORRELATED: Correlation = { correlationId: null, traceId: null, spanId: null };
