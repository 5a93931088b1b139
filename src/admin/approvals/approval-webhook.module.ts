import { Module } from '@nestjs/common';
import { ApprovalWebhookConfig } from '../../config/settings/approval-webhook.config.js';
import { WebhookInbox } from '../../governance/approvals/webhook/webhook-inbox.js';
import { ApprovalWebhookController } from './approval-webhook.controller.js';

/** `POST /approvals/webhook`. The entry adds it if PITH_APPROVAL_WEBHOOK_SECRET is set. */
@Module({
  controllers: [ApprovalWebhookController],
  providers: [
    {
      provide: WebhookInbox,
      inject: [ApprovalWebhookConfig],
      useFactory: ({ secret }: ApprovalWebhookConfig) => new WebhookInbox(secret, Date.now),
    },
  ],
})
export class ApprovalWebhookModule {}
