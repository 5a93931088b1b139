import { z } from 'zod';
import type { Config } from '../../config/config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { ApprovalTerms } from '../../core/ports/approval-store.port.js';
import { limitScope, narrowScope } from '../../core/scope.js';
import { servedOwner } from '../../engines/open-engines.js';
import { callerFor, configuredScope, principalNamed } from '../../governance/access/explained-caller.js';
import { WITHHELD_WORDS } from '../../governance/agents/discover-tools.js';
import type { Explained } from '../../governance/governance.service.js';
import { type AnyTool, takesScope } from '../../mcp/define-tool.js';
import { canonicalName } from '../../mcp/surface/surface.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { type ExplainFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { fileOf, openGovernance, principalsIn } from './open-governance.js';

/** The settings with the project and environment of the index, which servers use if the settings name none. */
function withOwner(config: Config): Config {
  const owner = servedOwner(config);
  const project = config.scope.project || (owner?.projectId ?? '');
  const environment = config.scope.environment || (owner?.environment ?? '');
  return { ...config, scope: { ...config.scope, project, environment } };
}

const argsSchema = z.looseObject({ scope: scopeSchema.optional() });
type Arguments = z.output<typeof argsSchema>;

function argumentsOf(args: string | undefined): Arguments {
  const parsed = argsSchema.safeParse(args === undefined ? {} : jsonOf(args));
  if (parsed.success) return parsed.data;
  throw new InvalidArgumentError(`--args: ${z.prettifyError(parsed.error)}`, {
    reason: 'invalid_input',
    hint: 'Give the arguments of the call as a JSON object.',
  });
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError('--args is not JSON.', {
      reason: 'invalid_input',
      hint: 'Give the arguments of the call as a JSON object, in single quotes.',
      cause: error,
    });
  }
}

function timeOf(text: string | undefined): number {
  const at = text === undefined ? Date.now() : Date.parse(text);
  if (!Number.isNaN(at)) return at;
  throw new InvalidArgumentError(`--at: "${text}" is not a time.`, {
    reason: 'invalid_input',
    hint: 'Use a time such as 2026-01-31T22:00Z.',
  });
}

const minutesOf = ({ lifetimeMs }: ApprovalTerms): number => lifetimeMs / 60_000;

function approvalLines(terms: ApprovalTerms): string[] {
  const { effect, approver } = terms;
  const one = approver === 'caller' ? 'the user at the host of the caller, or an operator' : 'an operator';
  return [
    `approved by: ${effect === 'review' ? 'two operators' : one}`,
    `expires after: ${minutesOf(terms)} minutes`,
  ];
}

const approvalFields = (terms: ApprovalTerms | null): object =>
  terms === null ? {} : { approver: terms.approver, expires_in_minutes: minutesOf(terms) };

function explanationLines(about: string, { effect, rule, withheld, reason, approval }: Explained): string {
  return [
    `${effect}: ${about}`,
    withheld === null ? `rule: ${rule}` : `not offered: ${WITHHELD_WORDS[withheld]}`,
    ...(reason === null ? [] : [`reason: ${reason}`]),
    ...(approval === null ? [] : approvalLines(approval)),
  ].join('\n');
}

/** `pith policy explain` */
export function explainPolicy(flags: ExplainFlags, tools: readonly AnyTool[]): void {
  const config = withOwner(loadConfig(settingsFrom(flags)));
  const { agent: serverAgent } = config.governance;
  const { governance, service, surface } = openGovernance(config, tools, fileOf(flags.file, config));
  const tool = canonicalName(surface, flags.tool);
  const definition = tools.find(({ name }) => name === tool);
  if (!definition) {
    throw new InvalidArgumentError(`There is no tool ${flags.tool}.`, {
      reason: 'invalid_input',
      hint: 'README.md lists the tools.',
    });
  }
  const input = argumentsOf(flags.args);
  const principal = principalNamed(flags.principal, principalsIn(config.http.accessFile, governance));
  const caller = callerFor(
    flags.agent === undefined ? principal : { ...principal, agent: null },
    serverAgent,
  );
  const { agent } = caller;
  const scope = limitScope(configuredScope(config), principal.scope);
  const explained = service.explain(
    {
      caller,
      scope: takesScope(definition) ? narrowScope(scope, input.scope) : scope,
      input,
      now: () => timeOf(flags.at),
    },
    tool,
  );
  const about = `${tool} for agent ${agent}, principal ${flags.principal}`;
  const { effect, rule, withheld, reason, approval, tool: decided_as } = explained;
  const fields = { effect, rule, reason, withheld, agent, tool, decided_as, ...approvalFields(approval) };
  process.stdout.write(`${flags.json ? JSON.stringify(fields) : explanationLines(about, explained)}\n`);
}
