import { Controller, Get, Header, Query, UseFilters, UseGuards } from '@nestjs/common';
import { GovernanceService } from '../../governance/governance.service.js';
import { Surface } from '../../mcp/surface/surface.js';
import { ScopeService } from '../../scope/scope.service.js';
import { AdminFilter } from '../admin.filter.js';
import { AdminGuard } from '../admin.guard.js';
import { ServerFacts } from '../admin-parts.js';
import { explainCall } from './explain-call.js';
import { policyPage } from './policy-page.js';
import { parsePolicyQuery } from './policy-query.js';

/** The page that explains what the policy decides. */
@Controller('admin/policy')
@UseGuards(AdminGuard)
@UseFilters(AdminFilter)
export class PolicyController {
  constructor(
    private readonly server: ServerFacts,
    readonly governance: GovernanceService,
    readonly surface: Surface,
    readonly scopes: ScopeService,
  ) {}

  @Get()
  @Header('Content-Type', 'text/html; charset=utf-8')
  async explain(@Query() given: unknown): Promise<string> {
    const query = parsePolicyQuery(given);
    const { config, version, now } = this.server;
    const { tool = '', principal = 'local', agent = config.governance.agent, args = '' } = query;
    const call = { tool, principal, agent, args };
    const explained = tool === '' ? null : await explainCall(call, this, now);
    return policyPage(call, explained, { version, tools: [...this.surface.tools.keys()] });
  }
}
