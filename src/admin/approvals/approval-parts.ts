import type { ApprovalStore } from '../../governance/approvals/approval-store.port.js';
import type { OperatorDecisions } from '../../governance/approvals/operator-decisions.js';
import type { FormTokens } from '../forms/form-tokens.js';

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
