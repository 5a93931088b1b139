import { Injectable } from '@nestjs/common';
import type { Call } from '../../core/call.js';
import { APPROVAL_REQUIRED, InvalidArgumentError, ScopeViolationError } from '../../core/errors.js';
import type { Reply } from '../../core/reply.js';
import { ApprovalStore } from '../../governance/approvals/approval-store.port.js';
import { canonicalArgument } from '../json-argument.js';
import { type Claim, type ClaimDecision, MAX_DECISIONS } from './claim.js';
import { ClaimStore, decisionsFull } from './claim-store.js';
import { type ClaimOutput, type DecideClaimInput, MAX_DATA_SIZE } from './claims.schemas.js';
import { claimNotFound, ClaimsService } from './claims.service.js';

type Approved = Pick<ClaimDecision, 'approvalId' | 'decidedBy' | 'approvedAt'>;

/** Records decisions that operators have approved. */
@Injectable()
export class ClaimDecisionsService {
  constructor(
    private readonly claims: ClaimsService,
    private readonly store: ClaimStore,
    private readonly approvals: ApprovalStore,
  ) {}

  /** @throws InvalidArgumentError `claim_not_found`, `statement_differs`, `data_differs`; BudgetExceededError `decisions_full` */
  async check(call: Call, input: DecideClaimInput): Promise<void> {
    const claim = await this.claims.find(call, input.claim_id);
    checkIsSame(claim, input);
    if (claim.decisions.length >= MAX_DECISIONS) throw decisionsFull();
  }

  /** @throws as `check`; ScopeViolationError `approval_required` */
  async decide(call: Call, input: DecideClaimInput): Promise<Reply<ClaimOutput>> {
    const approval = await this.approvalOf(call);
    await this.check(call, input);
    const claim = await this.store.decide(call.scope, input.claim_id, {
      verdict: input.decision === 'accept' ? 'accepted' : 'rejected',
      reason: input.reason,
      proposedBy: call.caller.principal,
      ...approval,
    });
    if (!claim) throw claimNotFound();
    return this.claims.reply(call, claim, null);
  }

  /** The operators who approved this call. The approval stage requires an approval; it is checked again here. */
  private async approvalOf({ id, decisions }: Call): Promise<Approved> {
    const { approvalId } = decisions;
    const approval = approvalId === null ? null : await this.approvals.get(approvalId);
    const granted = approval?.decisions.filter(({ verdict }) => verdict === 'approved') ?? [];
    const isOperators = granted.length > 0 && granted.every(({ via }) => via !== 'host');
    if (approvalId === null || approval?.usedBy !== id || !isOperators)
      throw new ScopeViolationError('An operator has to approve this decision.', {
        reason: APPROVAL_REQUIRED,
        hint: 'Call claim.decide again; an operator decides at /admin/approvals.',
      });
    const approvedAt = Math.min(...granted.map(({ at }) => at));
    return { approvalId, decidedBy: granted.map(({ by }) => by), approvedAt };
  }
}

/** The operator has read the statement and the data of the call. */
function checkIsSame({ statement, data }: Claim, sent: DecideClaimInput): void {
  if (statement !== sent.statement)
    throw new InvalidArgumentError('The claim has another statement.', {
      reason: 'statement_differs',
      hint: 'Copy the statement from claim.get.',
    });
  const json = sent.data === undefined ? null : canonicalArgument(sent.data, 'data', MAX_DATA_SIZE);
  if (json !== (data && data.json))
    throw new InvalidArgumentError(data ? 'The claim has other data.' : 'The claim has no data.', {
      reason: 'data_differs',
      hint: 'Copy data from claim.get, or leave it out if it is null there.',
    });
}
