// src/mcp: the protocol: tool definitions, the pipeline of a call, host profiles, rendering, both transports
import { randomBytes } from 'node:crypto';
import { type DynamicModule, Global, Module, type Provider, type Type } from '@nestjs/common';
import { Config } from '../config/config.js';
import { ServerSecret } from '../config/server-secret.js';
import { GovernanceConfig } from '../config/settings/governance.config.js';
import { PACKAGE_ROOT } from '../core/package-facts.js';
import { definitionsOf } from './define-tool.js';
import { CallerRules } from './pipeline/caller-identity.js';
import { CallerLimits } from './pipeline/caller-limits.js';
import { FailureReporter } from './pipeline/failure-reporter.js';
import { LOCAL, LOCAL_OPERATOR, withGroups } from './principals.js';
import { Serving } from './serving.js';
import { loadHosts } from './surface/load-hosts.js';
import { resolveSurface, Surface } from './surface/surface.js';
import { PermissionAccess, ToolAccess } from './tool-access.js';

const callerRules = (
  { admin, governance, http, index, scope }: Config,
  surface: Surface,
  { secret }: ServerSecret,
): CallerRules => ({
  surface,
  agent: governance.agent,
  secret,
  project: scope.project || index.file,
  processSessionId: randomBytes(12).toString('base64url'),
  hasReader: http.searchPage !== 'off' && surface.tools.get('get_doc')?.isOn === true,
  processUser: withGroups(admin.isOperator ? LOCAL_OPERATOR : LOCAL, scope.groups, { haveGroups: false }),
});

/** The surface, the rules that identify callers, their limits, and failure reports. */
@Global()
@Module({})
export class McpModule {
  /** @param tools  every tool, in the order of the tool list */
  static register(tools: readonly Type[], serving: Serving): DynamicModule {
    const definitions = definitionsOf(tools);
    const [governing] = serving.features.on.flatMap(({ access }) => access ?? []);
    const providers: Provider[] = [
      governing
        ? { provide: ToolAccess, useExisting: governing }
        : {
            provide: ToolAccess,
            inject: [GovernanceConfig],
            useFactory: ({ agent }: GovernanceConfig) => new PermissionAccess(definitions, agent),
          },
      { provide: Serving, useValue: serving },
      {
        provide: Surface,
        inject: [Config, ToolAccess],
        useFactory: (config: Config, access: ToolAccess): Surface => ({
          ...resolveSurface(definitions, config, loadHosts(PACKAGE_ROOT, config.surface.hostsFile)),
          access,
        }),
      },
      { provide: CallerRules, inject: [Config, Surface, ServerSecret], useFactory: callerRules },
      CallerLimits,
      FailureReporter,
    ];
    return { module: McpModule, providers, exports: providers };
  }
}
