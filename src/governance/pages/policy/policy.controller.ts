import { Injectable, Query } from '@nestjs/common';
import { z } from 'zod';
import { AdminController, HtmlPage, SignedIn } from '../../../admin/admin.guard.js';
import { ServerFacts } from '../../../admin/admin-parts.js';
import { parseQuery, typedText } from '../../../admin/admin-query.js';
import { OperatorScopesService } from '../../../admin/operator-scopes.service.js';
import { factList } from '../../../admin/views/card.js';
import { filterForm, inputField, selectField } from '../../../admin/views/fields.js';
import { type Html, html, type Part } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { isNarrowed } from '../../../core/scope.js';
import type { Principal } from '../../../mcp/principals.js';
import { Surface } from '../../../mcp/surface/surface.js';
import { ScopeService } from '../../../scope/scope.service.js';
import { WITHHELD_WORDS } from '../../agents/discover-tools.js';
import { GovernanceService } from '../../governance.service.js';
import type { Effect } from '../../policy/policy-rule.js';
import { type DecidingParts, explainCall, type ExplainedCall, type SupposedCall } from './explain-call.js';

/** The tone of each decision. */
const VERDICTS: Readonly<Record<Effect, 'good' | 'warn' | 'bad'>> = {
  allow: 'good',
  notify: 'good',
  approve: 'warn',
  review: 'warn',
  deny: 'bad',
};

function form(call: SupposedCall, tools: readonly string[]): Html {
  const known = tools.includes(call.tool) || call.tool === '' ? tools : [call.tool, ...tools];
  return filterForm({
    action: '/admin/policy',
    label: 'Explain a call',
    button: 'Explain',
    fields: html`${selectField({
      name: 'tool',
      label: 'Tool',
      value: call.tool,
      choices: known.map((name) => [name, name] as const),
    })}
    ${inputField({ name: 'agent', label: 'Agent (empty: that of the principal)', value: call.agent, type: 'text' })}
    ${inputField({ name: 'principal', label: 'Principal', value: call.principal, type: 'text' })}`,
    more: html`<div class="field">
      <label for="f-args">Arguments (JSON)</label
      ><textarea id="f-args" name="args" rows="4" maxlength="4000" spellcheck="false">${call.args}</textarea>
    </div>`,
  });
}

function verdict(kind: string, title: string, facts: readonly (readonly [string, Part])[]): Html {
  return html`<section class="verdict ${kind}" aria-labelledby="decision">
    <h2 id="decision">${title}</h2>
    ${factList(facts)}
  </section>`;
}

function decisionBox({ tool, decision, refused }: ExplainedCall): Html {
  const called: readonly [string, Part] = ['Tool', html`<bdi>${tool}</bdi>`];
  if (refused) {
    const facts = [called, ['Reason', html`${refused.message} ${refused.hint}`]] as const;
    return verdict('bad', `Refused before the policy: ${refused.code}`, facts);
  }
  const { effect, rule, reason, withheld, approval, tool: decidedAs } = decision;
  return verdict(VERDICTS[effect], `Decision: ${effect}`, [
    called,
    [
      'Rule',
      withheld === null ? html`<code class="id">${rule}</code>` : `Not offered: ${WITHHELD_WORDS[withheld]}.`,
    ],
    ...(decidedAs === tool ? [] : [['Decided as', html`<bdi>${decidedAs}</bdi>`] as const]),
    ...(reason === null ? [] : [['Reason', reason] as const]),
    ...(approval === null ? [] : [['Approver', approval.approver] as const]),
  ]);
}

/** A form for a call, and the decision about it. @param explained  null before a call is given */
function policyPage(
  call: SupposedCall,
  explained: ExplainedCall | null,
  server: { readonly frame: Frame; readonly tools: readonly string[] },
): string {
  return page({
    title: 'Policy',
    place: '/admin/policy',
    frame: server.frame,
    lead: 'Describe a call to see if the policy allows it now, and which rule decides. The call is not made.',
    content: html`${explained && decisionBox(explained)}
      <div class="card">${form(call, server.tools)}</div>`,
  });
}

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
