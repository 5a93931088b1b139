import type { ApprovalTerms } from '../../core/call.js';
import type { Scope } from '../../core/scope.js';

/**
 * The state of a request. A request that is neither rejected nor used in time expires, also if it was granted. One
 * whose approval was revoked is rejected.
 */
export const APPROVAL_STATES = ['pending', 'approved', 'rejected', 'expired', 'used'] as const;
export type ApprovalState = (typeof APPROVAL_STATES)[number];

/** `revoked` ends an approval that was granted and not used yet. */
export type ApprovalVerdict = 'approved' | 'rejected' | 'revoked';

/** The way in which a decision was made. `host` is the host of the caller. */
export type DecisionChannel = 'admin' | 'command' | 'webhook' | 'host';

/** Max requests that one query returns. */
export const MAX_LISTED_APPROVALS = 200;
/** Max pending requests of one principal. */
export const MAX_PENDING_APPROVALS = 100;
/** Longest reason of a decision, in characters. */
export const MAX_DECISION_REASON = 500;

/** A call that waits for approval. */
export interface ApprovalRequest extends ApprovalTerms {
  /** Not guessable; letters, digits, `-` and `_`. */
  readonly id: string;
  /** Keyed hash of everything that the approval is for. Equal calls have equal bindings. */
  readonly binding: string;
  /** The call that asked. */
  readonly callId: string;
  /** The run of this call; absent in older requests, and without a run ledger. */
  readonly runId?: string;
  /** Current name of the tool, not an alias. */
  readonly tool: string;
  readonly version: string;
  /** `read`, `write` or `external`. */
  readonly safety: string;
  /** The policy rule that requires the approval. */
  readonly rule: string;
  readonly principal: string;
  readonly agent: string;
  /** The documents that the call may see. */
  readonly scope: Scope;
  /** Canonical JSON of the arguments after defaults, for people who decide; the beginning only, if it is long. */
  readonly argumentsText: string;
  /** Number of characters of the arguments that are not in `argumentsText`; 0 if it is complete. */
  readonly argumentsOmitted: number;
}

/** A decision to record. */
export interface ApprovalDecision {
  /** Who decides: the name of an operator, or for `host` the principal of the call. */
  readonly by: string;
  readonly verdict: ApprovalVerdict;
  readonly via: DecisionChannel;
  /** For `command`, the user of the operating system who ran it; absent otherwise, and in older decisions. */
  readonly osUser?: string;
  /** At most `MAX_DECISION_REASON` characters. Shown to the caller of a rejected call; null for none. */
  readonly reason: string | null;
}

/** A recorded decision. */
export interface DatedDecision extends ApprovalDecision {
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** A request with everything that happened to it. */
export interface Approval extends ApprovalRequest {
  /** As of the query: an expired request is shown as `expired`. */
  readonly state: ApprovalState;
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  /** Time of expiry. Later, it can't be decided or used, and a rejected call can be requested again. */
  readonly expiresAt: number;
  /** In order. A review has up to two, and a third one if it is revoked. */
  readonly decisions: readonly DatedDecision[];
  /** The call that used the approval; null before. */
  readonly usedBy: string | null;
  /** Milliseconds since the epoch; null before. */
  readonly usedAt: number | null;
}

/** Selects requests. */
export interface ApprovalQuery {
  /** Default: all states. */
  readonly state?: ApprovalState;
  /** Only requests whose documents this scope covers. Default: all. */
  readonly scope?: Scope;
  /** Only requests that the list shows after the one with this id, for the next page. */
  readonly after?: string;
  /** 1 to `MAX_LISTED_APPROVALS`. */
  readonly limit: number;
}

/** A granted approval to use. */
export interface ApprovalUse {
  readonly binding: string;
  /** If set, only this approval is used. */
  readonly id?: string;
  /** The call that is executed by it. */
  readonly callId: string;
}
