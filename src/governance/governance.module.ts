// src/governance: identities, which tools agents are offered, which calls the policy allows, approvals, the record of calls, providers
import { type DynamicModule, Global, Module, type Provider, type Type } from '@nestjs/common';
import { Config } from '../config/config.js';
import { GovernanceConfig } from '../config/settings/governance.config.js';
import { type AnyTool, definitionsOf } from '../mcp/define-tool.js';
import { type Governance, NO_GOVERNANCE } from './agents/governance-file.js';
import { GovernanceService } from './governance.service.js';
import { DefinitionRecorder } from './registry/definition-recorder.service.js';
import { ownRegistry, ToolRegistry } from './registry/tool-registry.js';
import { ToolListingService } from './tools/tool-listing.service.js';
import { GOVERNANCE_TOOLS } from './tools/tool-listing.tools.js';

/** The governance file as it was when the server started. */
export const GOVERNANCE_FILE = 'GOVERNANCE_FILE';
/** For the folder `providers`, which must not import `agents`, because `agents` imports it. */
export type ReadGovernance = Governance;

async function readFile({ file }: GovernanceConfig, tools: readonly AnyTool[]): Promise<Governance> {
  if (file === '') return NO_GOVERNANCE;
  // The YAML parser is loaded only for a file.
  const { readGovernance } = await import('./agents/read-governance.js');
  return readGovernance(file, tools);
}

/** Global, because it decides about calls (`ToolAccess`). */
@Global()
@Module({})
export class GovernanceModule {
  /** @param tools  every tool, in the order of the tool list */
  static register(tools: readonly Type[]): DynamicModule {
    const definitions = definitionsOf(tools);
    const providers: Provider[] = [
      {
        provide: GOVERNANCE_FILE,
        inject: [GovernanceConfig],
        useFactory: (config: GovernanceConfig) => readFile(config, definitions),
      },
      {
        provide: ToolRegistry,
        inject: [GOVERNANCE_FILE],
        useFactory: (governance: Governance) => ownRegistry(definitions, governance),
      },
      {
        provide: GovernanceService,
        inject: [GOVERNANCE_FILE, ToolRegistry, Config],
        useFactory: (file: Governance, registry: ToolRegistry, { governance, domains }: Config) =>
          new GovernanceService(file, registry, governance.agent, domains.offered),
      },
    ];
    return {
      module: GovernanceModule,
      controllers: GOVERNANCE_TOOLS,
      providers: [...providers, ToolListingService, DefinitionRecorder],
      exports: providers,
    };
  }
}
