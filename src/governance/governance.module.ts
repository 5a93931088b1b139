// src/governance: which tools agents are offered, which calls the policy allows, and the record of calls
import { Global, Module, type Provider } from '@nestjs/common';
import { GovernanceConfig } from '../config/settings/governance.config.js';
import { ToolAccess } from '../mcp/tool-access.js';
import { NO_GOVERNANCE } from './agents/governance-file.js';
import { GovernanceService } from './governance.service.js';

const PROVIDERS: Provider[] = [
  {
    provide: GovernanceService,
    inject: [GovernanceConfig],
    useFactory: async ({ file, agent }: GovernanceConfig) => {
      if (file === '') return new GovernanceService(NO_GOVERNANCE, agent);
      // The YAML parser is loaded only for a file.
      const { readGovernance } = await import('./agents/read-governance.js');
      return new GovernanceService(readGovernance(file), agent);
    },
  },
  { provide: ToolAccess, useExisting: GovernanceService },
];

/** Global, because the module of the protocol asks it which tools to list. */
@Global()
@Module({ providers: PROVIDERS, exports: PROVIDERS })
export class GovernanceModule {}
