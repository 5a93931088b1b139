import type { FormTokens } from '../../../admin/forms/form-tokens.js';
import type { ApprovalStore } from '../../approvals/approval-store.port.js';
import type { OperatorDecisions } from '../../approvals/operator-decisions.js';

/** The parts that the pages of approvals need. */
export class ApprovalParts {
  constructor(
    /** False if no rule requires approval; then there may be no store. */
    readonly areUsed: boolean,
    readonly store: ApprovalStore,
    readonly decisions: OperatorDecisions,
    readonly tokens: FormTokens,
  ) {}
}
