import { InvalidArgumentError, PithError } from '../../core/errors.js';
import { entryName, memberName } from '../../mcp/principals.js';
import type { ApprovalDecidedEvent } from '../ledger/ledger-event.js';
import {
  type Approval,
  type ApprovalDecision,
  type ApprovalVerdict,
  type DecisionChannel,
  MAX_DECISION_REASON,
} from './approval.js';
import { decidedEvent } from './approval-events.js';
import { type ApprovalStore } from './approval-store.js';
import { decideApproval, unknownApproval } from './decide-approval.js';

/** Who decides. */
export interface Decider {
  /** The name of the operator, which the channel has checked. */
  readonly by: string;
  readonly via: Exclude<DecisionChannel, 'host'>;
  /** For `command`: the user of the operating system. */
  readonly osUser?: string;
}

/** The decision of an operator. */
export interface OperatorDecision extends Decider {
  readonly verdict: ApprovalVerdict;
  /** '' for none. */
  readonly note: string;
}

interface DecisionParts {
  readonly store: ApprovalStore;
  /** Resolves when the event is on record, or if nothing is recorded. Fails if it can't be recorded. */
  readonly record: (event: ApprovalDecidedEvent) => Promise<void>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Names that differ only in case or in their spelling in Unicode are taken as one person. */
const keyOf = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/**
 * The principal or earlier operator with the same name, so that another spelling does not make another person. The user
 * of a token, such as `pilots:ada`, is also the person whom the command line and the webhook call `ada`.
 */
function knownName({ principal, decisions }: Approval, name: string): string {
  const known = [principal, ...decisions.map(({ by }) => by)];
  const isNamed = (each: string): boolean =>
    [name, memberName(entryName(each), name)].some((spelling) => keyOf(spelling) === keyOf(each));
  return known.find(isNamed) ?? name;
}

function reasonOf(note: string): string | null {
  const text = note.replaceAll('\r\n', '\n').trim();
  if (text.length <= MAX_DECISION_REASON) return text === '' ? null : text;
  throw new InvalidArgumentError(`The note is longer than ${MAX_DECISION_REASON} characters.`, {
    reason: 'note_too_long',
    hint: 'Shorten the note.',
  });
}

function checkIsShown({ id, argumentsOmitted }: Approval): void {
  if (argumentsOmitted === 0) return;
  throw new InvalidArgumentError(
    `Approval ${id} can't be granted, because its arguments are too long to be shown in full.`,
    {
      reason: 'arguments_not_shown',
      hint: 'Reject it; the caller can split the call into smaller ones.',
      details: { characters_not_shown: argumentsOmitted },
    },
  );
}

/** Decisions of operators about calls that wait. The admin console, the command line and the webhook decide here. */
export class OperatorDecisions {
  constructor(private readonly parts: DecisionParts) {}

  /** Why an operator can't approve a request; null if the operator can. */
  objection(approval: Approval, decider: Decider): PithError | null {
    try {
      const by = knownName(approval, decider.by);
      this.decided(approval, { ...decider, by, verdict: 'approved', reason: null });
      return null;
    } catch (error) {
      if (error instanceof PithError) return error;
      throw error;
    }
  }

  /**
   * Records a decision, then makes it. Nobody can approve a call whose arguments are not shown in full.
   * @returns the request after the decision
   * @throws InvalidArgumentError `approval_not_found`, `approval_not_pending`, `approval_not_granted`, `approval_already_decided`,
   *   `arguments_not_shown`, `note_too_long`; ScopeViolationError `own_call`; BackendUnavailableError if the store or the run ledger can't be used
   */
  async decide(id: string, { note, ...given }: OperatorDecision): Promise<Approval> {
    const { store, record } = this.parts;
    const reason = reasonOf(note);
    const approval = await store.get(id);
    if (!approval) throw unknownApproval();
    // Refused decisions are not recorded. The store checks again, because another operator may decide meanwhile.
    const decision = { ...given, by: knownName(approval, given.by), reason };
    await record(decidedEvent(this.decided(approval, decision)));
    return store.decide(id, decision);
  }

  /** The request after a decision. @throws as `decide` if the decision is not possible */
  private decided(approval: Approval, decision: ApprovalDecision): Approval {
    const decided = decideApproval(approval, { ...decision, at: this.parts.now() });
    if (decision.verdict === 'approved') checkIsShown(approval);
    return decided;
  }
}
