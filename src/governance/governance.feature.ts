import { Logger } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { ServerSecret } from '../config/server-secret.js';
import type { ServedOver, ServerFeature, StoreProvider } from '../mcp/serving.js';
import { ApprovalStage, ReadyStage } from './approvals/approval.stage.js';
import { ApprovalStore } from './approvals/approval-store.js';
import { ApprovalsModule, NOTICE_OBSERVER } from './approvals/approvals.module.js';
import { warnLater } from './commands/start-warnings.js';
import { GovernanceModule } from './governance.module.js';
import { GovernanceService } from './governance.service.js';
import { openGovernanceDatabase } from './governance-store.js';
import { Ledger } from './ledger/ledger.js';
import { LEDGER_OBSERVER, LedgerModule } from './ledger/ledger.module.js';
import { LedgerStage } from './ledger/ledger.stage.js';
import { openLedger } from './ledger/store/open-ledger.js';
import { ProviderPins } from './providers/provider-pins.js';
import { ProvidersModule } from './providers/providers.module.js';
import { DefinitionStore } from './registry/definition-store.js';
import { GOVERNANCE_TOOLS } from './tools/tool-listing.tools.js';

/** Over STDIO, calls are recorded if the setting is `on`; over HTTP, unless it is `off`. */
const recordsCalls = ({ ledger }: Config, over: ServedOver): boolean =>
  over === 'http' ? ledger.mode !== 'off' : over === 'stdio' && ledger.mode === 'on';

/** Opens the ledger. With `auto`, a server without a lasting secret runs without a ledger. */
function openCallLedger(config: Config, secret: ServerSecret): Ledger | null {
  const logger = new Logger('ledger');
  if (config.ledger.mode === 'auto' && !secret.isLasting) {
    logger.warn(
      'Calls are not recorded: the run ledger needs PITH_SECRET or the secret file beside the index.',
    );
    return null;
  }
  return openLedger(config, secret, (error) => logger.warn(`Calls can't be recorded now: ${String(error)}`));
}

/** Null without a governance file or database, so that no file is made. */
function openDefinitions(config: Config): DefinitionStore | null {
  const isGoverned = config.governance.file !== '' || config.backends.governanceDatabase !== '';
  return isGoverned ? new DefinitionStore(openGovernanceDatabase(config, 'server')) : null;
}

const stores = (config: Config, over: ServedOver): StoreProvider[] => [
  {
    provide: Ledger,
    inject: [ServerSecret],
    useFactory: (secret: ServerSecret) =>
      recordsCalls(config, over) ? openCallLedger(config, secret) : null,
    isClosedElsewhere: true,
  },
  {
    provide: ApprovalStore,
    useFactory: () => new ApprovalStore(openGovernanceDatabase(config, 'server'), Date.now),
  },
  {
    provide: DefinitionStore,
    useFactory: () => (over === 'command' ? null : openDefinitions(config)),
    isClosedElsewhere: true,
  },
  { provide: ProviderPins, useFactory: () => new ProviderPins(openGovernanceDatabase(config, 'server')) },
];

/** Which tools agents are offered, which calls the policy allows, approvals, the record of calls, and providers. */
export const GOVERNANCE: ServerFeature = {
  tools: GOVERNANCE_TOOLS,
  access: GovernanceService,
  stages: [ReadyStage, ApprovalStage, LedgerStage],
  observers: [LEDGER_OBSERVER, NOTICE_OBSERVER],
  stores,
  modules: (tools) => [GovernanceModule.register(tools), LedgerModule, ApprovalsModule, ProvidersModule],
  warnLater,
  routes: async ({ approvalWebhook }) => {
    if (approvalWebhook.secret === '') return [];
    const { ApprovalWebhookModule } = await import('./pages/approvals/approval-webhook.controller.js');
    return [ApprovalWebhookModule];
  },
};
