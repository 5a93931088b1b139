import type { FactoryProvider } from '@nestjs/common';
import { ApprovalStore } from '../../core/ports/approval-store.port.js';
import { OperatorDecisions } from '../../governance/approvals/operator-decisions.service.js';
import { CallLedger } from '../../governance/ledger/call-ledger.js';

/** Decisions by the console and the webhook. */
export const OPERATOR_DECISIONS: FactoryProvider<OperatorDecisions> = {
  provide: OperatorDecisions,
  inject: [ApprovalStore, CallLedger],
  useFactory: (store: ApprovalStore, ledger: CallLedger | null) =>
    new OperatorDecisions({ store, record: async (event) => ledger?.recordOrFail(event), now: Date.now }),
};
