import {
  Global,
  Inject,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { LASTING_SECRET_HINT, ServerSecret } from '../../config/server-secret.js';
import { ApprovalWebhookConfig } from '../../config/settings/approval-webhook.config.js';
import { LedgerConfig } from '../../config/settings/ledger.config.js';
import { SYSTEM_CLOCK } from '../../core/turns/clock.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { Serving } from '../../mcp/serving.js';
import { GovernanceService } from '../governance.service.js';
import { CallLedger } from '../ledger/call-ledger.js';
import { DailyRemoval } from '../ledger/daily-removal.js';
import { type Approval } from './approval.js';
import { ApprovalGate } from './approval-gate.js';
import { ApprovalStore } from './approval-store.js';
import { bindingKey } from './bind-call.js';
import { OperatorDecisions } from './operator-decisions.js';
import { ApprovalWebhook } from './webhook/approval-webhook.js';
import { CallNotices } from './webhook/call-notices.js';

/** @throws InvalidConfigurationError if approvals would be lost at a restart, although calls need them */
export function checkSecret({ needsApprovals }: GovernanceService, { isLasting }: ServerSecret): void {
  if (isLasting || !needsApprovals) return;
  throw new InvalidConfigurationError([
    `Calls that wait for approval need a server secret that lasts: ${LASTING_SECRET_HINT}`,
  ]);
}

function openGate(
  ...given: [GovernanceService, ServerSecret, ApprovalStore, CallLedger | null, ApprovalWebhook | null]
) {
  const [governance, server, store, ledger, webhook] = given;
  checkSecret(governance, server);
  return new ApprovalGate({
    store,
    key: bindingKey(server.secret),
    record: async (event) => ledger?.record(event),
    recordDecision: async (event) => ledger?.recordOrFail(event),
    announce: (approval: Approval) => webhook?.notify(approval),
    now: Date.now,
  });
}

/** @throws InvalidConfigurationError for a URL without a secret */
export function hasWebhook(config: ApprovalWebhookConfig): boolean {
  if (config.url === '') return false;
  if (config.secret === '')
    throw new InvalidConfigurationError([
      'PITH_APPROVAL_WEBHOOK_URL needs PITH_APPROVAL_WEBHOOK_SECRET. Make one: whsec_ and the output of openssl rand -base64 32.',
    ]);
  return true;
}

const warn = (message: string): void => new Logger('approvals').warn(message);

const openWebhook = (config: ApprovalWebhookConfig): ApprovalWebhook | null =>
  hasWebhook(config) ? new ApprovalWebhook(config, { now: Date.now, onFailure: warn }) : null;

/** Notifies the webhook of calls that a rule with the effect `notify` has allowed, after the ledger has recorded them. */
export const NOTICE_OBSERVER = {
  provide: 'NOTICE_OBSERVER',
  inject: [ApprovalWebhookConfig, Serving],
  useFactory: (config: ApprovalWebhookConfig, { flushMs: closeMs }: Serving) => {
    if (!hasWebhook(config)) return null;
    const notices = new CallNotices(config, { ...SYSTEM_CLOCK, onFailure: warn, closeMs });
    return {
      observe: (finished: FinishedCall): void => notices.observe(finished),
      onApplicationShutdown: (): Promise<void> => notices.close(),
    };
  },
};

const PROVIDERS = [
  {
    provide: OperatorDecisions,
    inject: [ApprovalStore, CallLedger],
    useFactory: (store: ApprovalStore, ledger: CallLedger | null) =>
      new OperatorDecisions({ store, record: async (event) => ledger?.recordOrFail(event), now: Date.now }),
  },
  { provide: ApprovalWebhook, inject: [ApprovalWebhookConfig], useFactory: openWebhook },
  {
    provide: ApprovalGate,
    inject: [GovernanceService, ServerSecret, ApprovalStore, CallLedger, ApprovalWebhook],
    useFactory: openGate,
  },
];

/** The stage of approvals, and the decisions of operators. Old requests are removed daily, if rules need approvals. */
@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class ApprovalsModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private removal: DailyRemoval | null = null;

  constructor(
    private readonly store: ApprovalStore,
    private readonly governance: GovernanceService,
    private readonly ledger: LedgerConfig,
    @Inject(ApprovalWebhook) private readonly webhook: ApprovalWebhook | null,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.governance.needsApprovals) return;
    this.removal = new DailyRemoval({
      remove: (beforeMs) => this.store.purge(beforeMs),
      days: this.ledger.retentionDays,
      onFailure: (error) =>
        new Logger('approvals').warn(`old requests could not be removed: ${String(error)}`),
    }).start();
  }

  onApplicationShutdown(): void {
    this.removal?.stop();
    this.webhook?.close();
  }
}
