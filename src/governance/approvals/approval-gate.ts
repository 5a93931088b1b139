import { randomBytes } from 'node:crypto';
import type { ApprovalTerms, Call } from '../../core/call.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { HostAnswer } from '../../mcp/input-requests.js';
import { canonicalJson } from '../../text/canonical-json.js';
import { wholeOffset } from '../../text/span.js';
import type { ApprovalDecidedEvent, RecordedEvent } from '../ledger/ledger-event.js';
import type { Approval, ApprovalDecision, ApprovalRequest, ApprovalUse } from './approval.js';
import { decidedEvent, requestedEvent, runOf, usedEvent } from './approval-events.js';
import {
  approvalDenied,
  approvalMismatch,
  approvalRequired,
  callDeclined,
  recordedReason,
} from './approval-refusals.js';
import type { ApprovalStore } from './approval-store.js';
import { isShownToUser } from './approval-words.js';
import { bindCall, type BoundCall } from './bind-call.js';
import { decideApproval, isForCaller } from './decide-approval.js';

/** Longer arguments are stored only in part (characters). */
const MAX_STORED_CHARS = 65_536;
const ID_BYTES = 16;
const NAMED_ID = /^[\w-]{1,128}$/;

export interface GateParts {
  readonly store: ApprovalStore;
  /** Key of the bindings. */
  readonly key: Uint8Array;
  /** Records an event in the run ledger, if there is one. */
  readonly record: (event: RecordedEvent) => Promise<void>;
  /** The same for decisions: fails if the event can't be recorded. */
  readonly recordDecision: (event: ApprovalDecidedEvent) => Promise<void>;
  /** Announces a new request to operators. */
  readonly announce: (approval: Approval) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** A call that needs approval. */
export interface GatedCall {
  readonly call: Call;
  readonly terms: ApprovalTerms;
  readonly rule: string;
  /** The call that the approval is for; the rule and its terms are bound, too. */
  readonly bound: Omit<BoundCall, 'rule' | 'effect' | 'approver'>;
  /** `read`, `write` or `external`. */
  readonly safety: string;
  /** The approval that the caller names; undefined if it names none. */
  readonly named: unknown;
  /** The answer of the caller's user; null if the call brings none. */
  readonly answer: HostAnswer | null;
  /** Puts the question to the caller's user; null if the host can't ask. */
  readonly ask: ((approval: Approval) => void) | null;
}

/** Lets a call that needs approval run if it was approved. Otherwise the call ends at once, and is made again later. */
export class ApprovalGate {
  constructor(private readonly parts: GateParts) {}

  /**
   * Uses the approval of a call.
   * @returns its id
   * @throws ScopeViolationError `approval_required`, `approval_denied`, `approval_mismatch`; BudgetExceededError
   *   `approvals_pending`; BackendUnavailableError if the store can't be used or a decision
   *   can't be recorded
   */
  async admit(gated: GatedCall): Promise<string> {
    const { bound, rule, terms } = gated;
    const { effect, approver } = terms;
    const binding = bindCall({ ...bound, rule, effect, approver }, this.parts.key);
    const named = namedBy(gated);
    if (named !== undefined) return this.admitNamed(gated, binding, named);
    const used = await this.use(gated.call, { binding });
    if (used) return used;
    const asked = requestOf(gated, binding);
    const approval = await this.parts.store.request(asked);
    if (approval.id === asked.id) {
      await this.parts.record(requestedEvent(approval));
      this.parts.announce(approval);
    }
    return this.refuse(gated, approval);
  }

  /** For a call that names its approval, or brings the answer to a question about it. */
  private async admitNamed(gated: GatedCall, binding: string, id: string): Promise<string> {
    const { store } = this.parts;
    const approval = await store.get(id);
    if (approval?.binding !== binding) throw approvalMismatch();
    if (approval.state === 'pending' && gated.answer) return this.takeAnswer(gated, approval, gated.answer);
    if (approval.state === 'approved' && gated.answer?.action === 'decline')
      throw recorded(gated, { ...approval, state: 'rejected' }, callDeclined(approval));
    const used = await this.use(gated.call, { binding, id });
    if (used) return used;
    if (approval.state !== 'pending' && approval.state !== 'rejected')
      throw recorded(gated, approval, approvalMismatch());
    return this.refuse(gated, approval);
  }

  /** An answer counts only where the rule and the question allow it; a host can send one that nobody asked for. */
  private async takeAnswer(gated: GatedCall, approval: Approval, { action }: HostAnswer): Promise<string> {
    const isUnanswered = action === 'cancel' || !isForCaller(gated.terms);
    if (isUnanswered || (action === 'accept' && !isShownToUser(approval)))
      throw recorded(gated, approval, approvalRequired(approval));
    const decided = await this.decide(approval, {
      by: gated.call.caller.principal,
      verdict: action === 'accept' ? 'approved' : 'rejected',
      via: 'host',
      reason: null,
    }).catch(asMismatch);
    if (decided.state === 'rejected') throw recorded(gated, decided, approvalDenied(decided));
    const { binding, id } = approval;
    const used = await this.use(gated.call, { binding, id });
    if (!used) throw recorded(gated, decided, approvalMismatch());
    return used;
  }

  /** Records a decision, then makes it. The store checks again, because somebody else may decide meanwhile. */
  private async decide(approval: Approval, decision: ApprovalDecision): Promise<Approval> {
    const { store, recordDecision, now } = this.parts;
    await recordDecision(decidedEvent(decideApproval(approval, { ...decision, at: now() })));
    return store.decide(approval.id, decision);
  }

  private async use(call: Call, of: Omit<ApprovalUse, 'callId'>): Promise<string | null> {
    const { signal } = call;
    signal.throwIfAborted();
    const used = await this.parts.store.consume({ ...of, callId: call.id });
    if (!used) return null;
    await this.parts.record(usedEvent(used, call));
    // A call that has ended meanwhile must not be executed.
    signal.throwIfAborted();
    return used.id;
  }

  private refuse(gated: GatedCall, approval: Approval): never {
    if (approval.state === 'rejected') throw recorded(gated, approval, approvalDenied(approval));
    const isAsked = approval.state === 'pending' && isForCaller(approval) && isShownToUser(approval);
    if (isAsked) gated.ask?.(approval);
    throw recorded(gated, approval, approvalRequired(approval));
  }
}

/** Notes for the run ledger why a call is not executed. @returns the error for the caller */
function recorded<E>({ call }: GatedCall, approval: Approval, error: E): E {
  call.decisions.decide({ approvalId: approval.id, refusedAs: recordedReason(approval) });
  return error;
}

/** The same answer came twice, or somebody else has decided meanwhile. */
function asMismatch(error: unknown): never {
  throw error instanceof InvalidArgumentError ? approvalMismatch() : error;
}

/** The approval that a call names; the state of a question is the id of its approval. */
function namedBy({ named, answer }: GatedCall): string | undefined {
  if (named === undefined) return answer?.state;
  if (typeof named !== 'string' || !NAMED_ID.test(named)) throw approvalMismatch();
  if (answer && answer.state !== named) throw approvalMismatch();
  return named;
}

function requestOf({ call, terms, rule, bound, safety }: GatedCall, binding: string): ApprovalRequest {
  const { tool, version, principal, agent, scope, args } = bound;
  const text = canonicalJson(args);
  const argumentsText = text.slice(0, wholeOffset(text, Math.min(text.length, MAX_STORED_CHARS)));
  return {
    ...terms,
    // Hexadecimal: on a command line, an id that begins with a hyphen would be an option.
    id: randomBytes(ID_BYTES).toString('hex'),
    binding,
    callId: call.id,
    ...runOf(call.decisions),
    ...{ tool, version, safety, rule, principal, agent, scope },
    argumentsText,
    argumentsOmitted: text.length - argumentsText.length,
  };
}
