import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InvalidArgumentError } from '../../core/errors.js';
import { ClaimStore } from '../claims/claim-store.js';
import { EvidenceCheckerService } from '../claims/evidence-checker.service.js';
import { ownCall } from './ask-again.js';
import { type Gap, gapChanged, type GapView } from './gap.js';
import { QuestionStore } from './question-store.js';

/** Hexadecimal digits, as the ids of other claims have. */
const ID_LENGTH = 32;

/** Makes claims of gaps, so that their answers are decided and verified as other claims are. */
@Injectable()
export class GapStatementService {
  constructor(
    private readonly store: QuestionStore,
    private readonly claims: ClaimStore,
    private readonly checker: EvidenceCheckerService,
  ) {}

  /**
   * States that the documents answer the questions of a gap, with the quote that does so as evidence.
   * @param by  the name of the operator
   * @returns the id of the claim; the earlier one if the gap has a claim
   * @throws InvalidArgumentError `gap_not_answered`, `gap_changed`, `quote_not_found`; BudgetExceededError `substrate_full`
   */
  async make({ gap }: GapView, by: string, at: number): Promise<string> {
    const { scope, answer } = gap;
    if (gap.claimId !== '' && (await this.claims.get(scope, gap.claimId))) return gap.claimId;
    if (!answer) throw notAnswered();
    const { sectionId, quote } = answer;
    const call = ownCall(scope, at);
    const caller = { ...call.caller, principal: by };
    const piece = { section_id: sectionId, quote, stance: 'supports' as const };
    const evidence = await this.checker.check({ ...call, caller }, [piece]);
    // Claims are also shown to callers who may not see the questions.
    const statement = `The documents answer the questions of gap ${gap.id}.`;
    const claim = { id: idForClaim(gap), statement, data: null, createdBy: by };
    await this.createOnce(scope, claim, evidence);
    if (!(await this.store.change(gap, { claimId: claim.id }))) throw gapChanged();
    return claim.id;
  }

  /** Another operator, or a process that was killed before the gap named the claim, may have made it. */
  private async createOnce(...given: Parameters<ClaimStore['create']>): Promise<void> {
    const [scope, { id }] = given;
    if (await this.claims.get(scope, id)) return;
    try {
      await this.claims.create(...given);
    } catch (error) {
      if (!(await this.claims.get(scope, id))) throw error;
    }
  }
}

/** One gap has one claim, whoever makes it, and another if nobody of its scope may see that one any more. */
const idForClaim = ({ id, claimId }: Gap): string =>
  createHash('sha256').update(`claim of ${id}${claimId}`).digest('hex').slice(0, ID_LENGTH);

function notAnswered(): InvalidArgumentError {
  return new InvalidArgumentError('Nothing in the documents answers this gap yet.', {
    reason: 'gap_not_answered',
    hint: 'Add a page that answers it, index, and run pith gaps again.',
  });
}
