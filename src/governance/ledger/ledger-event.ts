import type { Ref } from '../../core/reply.js';

/** The outcomes of a call. */
export const CALL_OUTCOMES = [
  'success',
  'error',
  'waiting',
  'refused',
  'invalid',
  'timed_out',
  'cancelled',
] as const;
export type CallOutcome = (typeof CALL_OUTCOMES)[number];

/**
 * The part of the corpus that a call could see; for a call that ended before this was known, the limit of its principal.
 * Null lists are not restricted.
 */
export interface LedgerScope {
  /** Null if it was not known. */
  readonly project: string | null;
  /** Null if it was not known. */
  readonly environment: string | null;
  readonly doc_tags: readonly string[] | null;
  readonly repositories: readonly string[] | null;
  /** Those of the caller's groups that documents name; null for all, absent if no caller has groups. */
  readonly groups?: readonly string[] | null;
}

/** Facts that all events of one call share. */
export interface LedgerCallFacts {
  readonly call_id: string;
  /** Groups the calls of one task. Null only in older lines, for calls that were not started. */
  readonly run_id: string | null;
  /** Current name of the tool, not an alias. */
  readonly tool: string;
  readonly principal: string;
  readonly agent: string;
  /** Name of the policy rule that decided; null if no rule was asked. */
  readonly rule: string | null;
  /** Effect of this rule, for example `allow` or `notify`; null if no rule was asked. */
  readonly effect: string | null;
  /** Absent for calls of principals without a limit that ended before their scope was known, and in older lines. */
  readonly scope?: LedgerScope;
}

/** A call was allowed and starts. */
export interface CallStartedEvent extends LedgerCallFacts {
  readonly type: 'tool.call.started';
  readonly version: string;
  /** Keyed hash of the arguments after defaults, see `inputHash`. */
  readonly input_hash: string;
  /** Canonical JSON of the arguments, see `argumentsText`; absent unless PITH_LEDGER_ARGUMENTS is on. */
  readonly arguments?: string;
  readonly session: string | null;
}

/** A call ended, whether or not it was started. */
export interface CallCompletedEvent extends LedgerCallFacts {
  readonly type: 'tool.call.completed';
  readonly outcome: CallOutcome;
  /** True if the tool ran; a call that was refused or invalid was not executed. */
  readonly executed: boolean;
  readonly refs: readonly Ref[];
  /** Number of refs beyond the limit that is recorded; absent if all are there. */
  readonly refs_omitted?: number;
  /** UTF-8 bytes and estimated tokens of the result. */
  readonly bytes: number;
  readonly tokens: number;
  readonly duration_ms: number;
  readonly error_code: string | null;
  /** Why the call failed, such as `approval_required`. Absent for calls that did not fail, and in older lines. */
  readonly reason?: string;
  /** Number of further throttled calls of this principal that the line stands for; absent for none. */
  readonly calls_omitted?: number;
  /** The approval that the call needed: `executed` says if it was used. Absent for other calls, and for refused ones in older lines. */
  readonly approval_id?: string;
}

/** An external server asked the user at the host of a call for input. Texts are not recorded. */
export interface InputRequestedEvent extends LedgerCallFacts {
  readonly type: 'tool.call.input_requested';
  /** Name of the external server. */
  readonly provider: string;
  /** Absent in older lines, which are about elicitation. */
  readonly request?: 'elicitation' | 'sampling';
  /** Of the user or the model of the host, or `refused` by this server, or `failed` if the host gave no answer. */
  readonly answer: 'accept' | 'decline' | 'cancel' | 'refused' | 'failed';
}

/** Facts that all events of one approval share. The arguments of the call are not recorded. */
export interface ApprovalFacts {
  readonly approval_id: string;
  /** The call that asked; for `approval.used`, the call that was executed. */
  readonly call_id: string;
  /** The run of this call; absent in older lines, and of calls whose run is not known. */
  readonly run_id?: string;
  readonly tool: string;
  /** Of the call. */
  readonly principal: string;
  readonly agent: string;
  readonly rule: string;
  readonly effect: string;
  /** Of the call; absent in older lines. */
  readonly scope?: LedgerScope;
}

/** A call waits for approval. */
export interface ApprovalRequestedEvent extends ApprovalFacts {
  readonly type: 'approval.requested';
  readonly version: string;
  /** `caller` or `operator`. */
  readonly approver: string;
  /** ISO-8601, UTC. */
  readonly expires_at: string;
}

/** Somebody has approved or rejected a call, or revoked an approval. */
export interface ApprovalDecidedEvent extends ApprovalFacts {
  readonly type: 'approval.decided';
  /** `approved`, `rejected` or `revoked`. */
  readonly verdict: string;
  readonly decided_by: string;
  /** `admin`, `command`, `webhook`, or `host` for the host of the caller. */
  readonly via: string;
  /** For `command`, the user of the operating system who ran it; absent otherwise, and in older lines. */
  readonly os_user?: string;
  /** After the decision: a review is pending until the second approval. */
  readonly state: string;
}

/** A call is executed by an approval. */
export interface ApprovalUsedEvent extends ApprovalFacts {
  readonly type: 'approval.used';
}

/** Facts that all events about a run itself share. `call_id` is the call that changed the run. */
export interface RunFacts extends LedgerCallFacts {
  readonly run_id: string;
  /** Counts the events of one run, from 1. A line that repeats a number is the same event, recorded twice. */
  readonly number: number;
  /** Canonical JSON of what the caller gave, see `argumentsText`; absent if it gave nothing. */
  readonly data?: string;
}

/** An agent has created a run. `data` is its configuration. */
export interface RunCreatedEvent extends RunFacts {
  readonly type: 'run.created';
  readonly run_type: string;
  readonly name: string | null;
  /** SHA-256 of the manifest that the run reads; absent if it names none. */
  readonly manifest_sha256?: string;
}

/** A run has started or ended. `data` is the result, the error, or the reason of the cancellation. */
export interface RunChangedEvent extends RunFacts {
  readonly type: 'run.started' | 'run.completed' | 'run.failed' | 'run.cancelled';
  /** SHA-256 of the manifest that the run has made; absent if it names none. */
  readonly manifest_sha256?: string;
}

/** A step of a run starts or is complete. */
export interface RunStepEvent extends RunFacts {
  readonly type: 'run.step';
  readonly step: string;
  readonly step_event: 'start' | 'complete';
  /** Absent if the caller gave none. */
  readonly duration_ms?: number;
  readonly success?: boolean;
}

/** A checkpoint of a run was stored. Its state is not recorded. */
export interface RunCheckpointEvent extends RunFacts {
  readonly type: 'run.checkpoint';
  readonly checkpoint_version: number;
  /** UTF-8 bytes of the state. */
  readonly bytes: number;
}

/** An event about a run itself. */
export type RunEvent = RunCreatedEvent | RunChangedEvent | RunStepEvent | RunCheckpointEvent;

/** True for events about a run itself. */
export const isRunEvent = (event: LedgerEvent): event is RunEvent => event.type.startsWith('run.');

/** Settings or a configuration file changed. */
export interface ConfigurationChangedEvent {
  readonly type: 'configuration.changed';
  /** Name of the changed file, such as `governance.yaml`, or `providers.NAME` for accepted tools. */
  readonly what: string;
  /** Hash of the version before; null for the first one. */
  readonly before: string | null;
  readonly after: string;
  /** The operator who changed it while servers run; absent for changes of files, which servers notice. */
  readonly decided_by?: string;
}

/** Old lines were removed. It holds what is needed to verify the lines that remain. */
export interface CheckpointEvent {
  readonly type: 'checkpoint';
  /** Sequence number and hash of the last line that was removed. */
  readonly removed_through: number;
  readonly hash: string;
}

/** An event that callers of the ledger append. */
export type RecordedEvent =
  | CallStartedEvent
  | CallCompletedEvent
  | InputRequestedEvent
  | ApprovalRequestedEvent
  | ApprovalDecidedEvent
  | ApprovalUsedEvent
  | RunEvent
  | ConfigurationChangedEvent;

/** An event in the ledger. Field names are those of the stored and exported form. */
export type LedgerEvent = RecordedEvent | CheckpointEvent;
