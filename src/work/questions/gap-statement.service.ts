import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { InvalidArgumentError } from '../../core/errors.js';
import { ClaimStore } from '../claims/claim-store.js';
import { EvidenceCheckerService } from '../claims/evidence-checker.service.js';
import { ownCall } from './ask-again.js';
import { gapChanged, type GapView } from './gap.js';
import { QuestionStore } from './question-store.js';

const ID_BYTES = 16;

/** Makes claims of groups, so that their answers are decided and verified as other claims are. */
@Injectable()
export class GapStatementService {
  constructor(
    private readonly store: QuestionStore,
    private readonly claims: ClaimStore,
    private readonly checker: EvidenceCheckerService,
  ) {}

  /**
   * States that the documents answer the questions of a group, with the quote that does so as evidence.
   * @param by  the name of the operator
   * @returns the id of the claim; the earlier one if the group has a claim
   * @throws InvalidArgumentError `gap_not_answered`, `gap_changed`, `quote_not_found`; BudgetExceededError `substrate_full`
   */
  async make({ gap }: GapView, by: string, at: number): Promise<string> {
    if (gap.claimId !== '') return gap.claimId;
    if (!gap.answer) throw notAnswered();
    const { sectionId, quote } = gap.answer;
    const call = ownCall(gap.scope, at);
    const caller = { ...call.caller, principal: by };
    const piece = { section_id: sectionId, quote, stance: 'supports' as const };
    const evidence = await this.checker.check({ ...call, caller }, [piece]);
    // Claims are also shown to callers who may not see the questions.
    const statement = `The documents answer the questions of gap ${gap.id}.`;
    const id = randomBytes(ID_BYTES).toString('hex');
    const claim = { id, statement, data: null, createdBy: by };
    if (!(await this.store.change(gap, { claimId: id }))) throw gapChanged();
    try {
      await this.claims.create(gap.scope, claim, evidence);
    } catch (error) {
      await this.store.change({ ...gap, claimId: id }, { claimId: '' });
      throw error;
    }
    return id;
  }
}

function notAnswered(): InvalidArgumentError {
  return new InvalidArgumentError('Nothing in the documents answers this group yet.', {
    reason: 'gap_not_answered',
    hint: 'Add a page that answers it, index, and run pith gaps again.',
  });
}
