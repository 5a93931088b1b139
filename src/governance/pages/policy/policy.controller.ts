import { Injectable, Query } from '@nestjs/common';
import { z } from 'zod';
import { AdminController, HtmlPage, SignedIn } from '../../../admin/admin.guard.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { parseQuery, typedText } from '../../../admin/admin-query.js';
import { OperatorScopesService } from '../../../admin/operator-scopes.service.js';
import { isNarrowed } from '../../../core/scope.js';
import type { Principal } from '../../../mcp/principals.js';
import { Surface } from '../../../mcp/surface/surface.js';
import { ScopeService } from '../../../scope/scope.service.js';
import { GovernanceService } from '../../governance.service.js';
import { type DecidingParts, explainCall } from './explain-call.js';
import { policyPage } from './policy-page.js';

const word = typedText(256).trim();

const policySchema = z.strictObject({
  tool: word.optional(),
  agent: word.optional(),
  principal: word.optional(),
  /** JSON of an object; the length of a URL is limited. */
  args: typedText(4_000).optional(),
});

/** The call to explain, named as in URLs. */
type PolicyQuery = z.output<typeof policySchema>;

/** @throws AdminFailure INVALID_ARGUMENT */
export const parsePolicyQuery = (query: unknown): PolicyQuery => parseQuery(policySchema, query);

/** The parts of the server that decide about calls. */
@Injectable()
export class PolicyParts implements DecidingParts {
  constructor(
    readonly governance: GovernanceService,
    readonly surface: Surface,
    readonly scopes: ScopeService,
  ) {}
}

/** The page that explains what the policy decides. */
@AdminController('admin/policy')
export class PolicyController {
  constructor(
    private readonly server: ServerFacts,
    private readonly parts: PolicyParts,
    private readonly operators: OperatorScopesService,
  ) {}

  @HtmlPage()
  async explain(@Query() given: unknown, @SignedIn() operator: Principal): Promise<string> {
    const query = parsePolicyQuery(given);
    const { config, frame, now } = this.server;
    // A narrowed operator can't explain calls of `local`, which sees everything.
    const usual = isNarrowed(operator.scope) ? operator.name : 'local';
    const { tool = '', principal = usual, agent = '', args = '' } = query;
    const call = { tool, principal, agent, args };
    const principals = await this.operators.principalsSeenBy(operator);
    const serverAgent = config.governance.agent;
    const explained =
      tool === '' ? null : await explainCall(call, this.parts, { now, principals, serverAgent });
    return policyPage(call, explained, { frame, tools: [...this.parts.surface.tools.keys()] });
  }
}
