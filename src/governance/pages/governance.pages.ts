import type { ModuleRef } from '@nestjs/core';
import type { ConsolePages } from '../../admin/console.pages.js';
import { Config } from '../../config/config.js';
import { ApprovalStore } from '../approvals/approval-store.js';
import { GovernanceService } from '../governance.service.js';
import { Ledger } from '../ledger/ledger.js';
import { PROVIDERS } from '../providers/provider-tools.controller.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ApprovalParts, ApprovalsController } from './approvals/approvals.controller.js';
import { PolicyController, PolicyParts } from './policy/policy.controller.js';
import { ProviderParts, ProvidersController } from './providers/providers.controller.js';
import { RunsController } from './runs/runs.controller.js';
import { ToolHistoryController, ToolsPageController } from './tools/tools.controller.js';

const found = <T>(app: ModuleRef, token: Parameters<ModuleRef['get']>[0]): T =>
  app.get<T>(token, { strict: false });

/** The file of one server is opened only when a call needs it. */
async function checkDatabase(app: ModuleRef): Promise<void> {
  if (found<Config>(app, Config).backends.governanceDatabase !== '')
    await found<ApprovalStore>(app, ApprovalStore).check();
}

/** The pages about approvals, recorded runs, the policy, providers and tools. */
export const GOVERNANCE_PAGES: ConsolePages = {
  menu: [
    {
      href: '/admin/approvals',
      name: 'Approvals',
      rank: 2,
      isUsed: (app) => found<GovernanceService>(app, GovernanceService).needsApprovals,
    },
    { href: '/admin/runs', name: 'Runs', rank: 3, isUsed: (app) => found(app, Ledger) !== null },
    { href: '/admin/policy', name: 'Policy', rank: 7 },
    { href: '/admin/providers', name: 'Providers', rank: 9, isUsed: (app) => found(app, PROVIDERS) !== null },
    { href: '/admin/tools', name: 'Tools', rank: 10 },
  ],
  checks: [{ part: 'governance', run: checkDatabase }],
  imports: [ProvidersModule],
  controllers: [
    ApprovalsController,
    RunsController,
    PolicyController,
    ProvidersController,
    ToolsPageController,
    ToolHistoryController,
  ],
  providers: [PolicyParts, ApprovalParts, ProviderParts],
};
