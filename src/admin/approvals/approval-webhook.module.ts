import { type FactoryProvider, Module } from '@nestjs/common';
import { ApprovalWebhookConfig } from '../../config/settings/approval-webhook.config.js';
import { ApprovalStore } from '../../core/ports/approval-store.port.js';
import { OperatorDecisions } from '../../governance/approvals/operator-decisions.service.js';
import { WebhookInbox } from '../../governance/approvals/webhook/webhook-inbox.js';
import { CallLedger } from '../../governance/ledger/call-ledger.js';
import { ApprovalWebhookController } from './approval-webhook.controller.js';

/** Decisions by the console and the webhook. */
export const OPERATOR_DECISIONS: FactoryProvider<OperatorDecisions> = {
  provide: OperatorDecisions,
  inject: [ApprovalStore, CallLedger],
  useFactory: (store: ApprovalStore, ledger: CallLedger | null) =>
    new OperatorDecisions({ store, record: async (event) => ledger?.recordOrFail(event), now: Date.now }),
};

/** `POST /approvals/webhook`. The entry adds it if PITH_APPROVAL_WEBHOOK_SECRET is set. */
@Module({
  controllers: [ApprovalWebhookController],
  providers: [
    OPERATOR_DECISIONS,
    {
      provide: WebhookInbox,
      inject: [ApprovalWebhookConfig],
      useFactory: ({ secret }: ApprovalWebhookConfig) => new WebhookInbox(secret, Date.now),
    },
  ],
})
export class ApprovalWebhookModule {}
