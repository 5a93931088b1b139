import { Module } from '@nestjs/common';
import { ApprovalWebhookConfig } from '../../../config/settings/approval-webhook.config.js';
import { SYSTEM_CLOCK } from '../../../core/turns/clock.js';
import { WebhookInbox } from '../../approvals/webhook/webhook-inbox.js';
import { ApprovalWebhookController } from './approval-webhook.controller.js';

/** `POST /approvals/webhook`. The entry adds it if PITH_APPROVAL_WEBHOOK_SECRET is set. */
@Module({
  controllers: [ApprovalWebhookController],
  providers: [
    {
      provide: WebhookInbox,
      inject: [ApprovalWebhookConfig],
      useFactory: ({ secret }: ApprovalWebhookConfig) => new WebhookInbox(secret, SYSTEM_CLOCK),
    },
  ],
})
export class ApprovalWebhookModule {}
