import { factList } from '../../../admin/views/card.js';
import { inputField, selectField } from '../../../admin/views/fields.js';
import { type Html, html, type Part } from '../../../admin/views/html.js';
import { type Frame, page } from '../../../admin/views/layout.js';
import { WITHHELD_WORDS } from '../../agents/discover-tools.js';
import type { ExplainedCall, SupposedCall } from './explain-call.js';

const VERDICTS: Readonly<Record<string, string>> = { allow: 'good', notify: 'good', deny: 'bad' };

function form(call: SupposedCall, tools: readonly string[]): Html {
  const known = tools.includes(call.tool) || call.tool === '' ? tools : [call.tool, ...tools];
  return html`<form method="get" action="/admin/policy" class="filters" aria-label="Explain a call">
    <div class="fields">
      ${selectField({
        name: 'tool',
        label: 'Tool',
        value: call.tool,
        choices: known.map((name) => [name, name] as const),
      })}
      ${inputField({ name: 'agent', label: 'Agent (empty: that of the principal)', value: call.agent, type: 'text' })}
      ${inputField({ name: 'principal', label: 'Principal', value: call.principal, type: 'text' })}
    </div>
    <div class="field">
      <label for="f-args">Arguments (JSON)</label
      ><textarea id="f-args" name="args" rows="4" maxlength="4000" spellcheck="false">${call.args}</textarea>
    </div>
    <p class="actions"><button>Explain</button> <a href="/admin/policy">Clear</a></p>
  </form>`;
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
  return verdict(VERDICTS[effect] ?? 'warn', `Decision: ${effect}`, [
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
export function policyPage(
  call: SupposedCall,
  explained: ExplainedCall | null,
  server: { readonly frame: Frame; readonly tools: readonly string[] },
): string {
  return page({
    title: 'Policy',
    place: '/admin/policy',
    frame: server.frame,
    content: html`<h1>Policy</h1>
      <p class="lead">
        Describe a call to see if the policy allows it now, and which rule decides. The call is not made.
      </p>
      ${explained && decisionBox(explained)}
      <div class="card">${form(call, server.tools)}</div>`,
  });
}
