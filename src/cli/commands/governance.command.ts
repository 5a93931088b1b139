import { z } from 'zod';
import type { Config } from '../../config/config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { ApprovalTerms } from '../../core/ports/approval-store.port.js';
import { limitScope, narrowScope } from '../../core/scope.js';
import { FilePrincipals } from '../../governance/access/file-principals.js';
import { readAccess } from '../../governance/access/read-access.js';
import type { Withheld } from '../../governance/agents/discover-tools.js';
import { DEFAULT_AGENT, type Governance } from '../../governance/agents/governance-file.js';
import { readGovernance } from '../../governance/agents/read-governance.js';
import { GovernanceService } from '../../governance/governance.service.js';
import { matchesPattern } from '../../governance/policy/match-rule.js';
import { ownRegistry } from '../../governance/registry/tool-registry.js';
import { type AnyTool, takesScope } from '../../mcp/define-tool.js';
import { LOCAL, type Principal } from '../../mcp/principals.js';
import { describeTools } from '../../mcp/surface/describe-tools.js';
import { canonicalName, resolveSurface, type Surface } from '../../mcp/surface/surface.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { estimateTokens } from '../../text/estimate-tokens.js';
import { type Common, type ExplainFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { callerFor, configuredScope, principalNamed } from '../running/explained-caller.js';

function fileOf(given: string | undefined, { governance }: Config): string {
  const file = given ?? governance.file;
  if (file !== '') return file;
  throw new InvalidConfigurationError([
    'There is no governance file. Name one, or set PITH_GOVERNANCE_FILE. docs/governance.md has an example.',
  ]);
}

/** Patterns of tools that match nothing, with their place in the file. */
function unmatched({ capabilities, policy }: Governance, names: readonly string[]): string[] {
  const used: (readonly [string, readonly string[]])[] = [
    ...Object.entries(capabilities).map(([name, patterns]) => [`capability ${name}`, patterns] as const),
    ...[...policy.rules, ...Object.values(policy.templates).flat()].map(
      (rule) => [`rule ${rule.name}`, rule.tools ?? []] as const,
    ),
  ];
  return used.flatMap(([where, patterns]) =>
    patterns
      .filter((pattern) => !names.some((name) => matchesPattern(pattern, name)))
      .map((pattern) => `warning: ${where}: no tool matches ${pattern}`),
  );
}

/** One line about an agent: the tools it is offered, and what their list costs in a model's context. */
function offerLine(service: GovernanceService, agent: string, surface: Surface): string {
  const caller = callerFor(LOCAL, agent);
  const all = describeTools(surface, caller, null);
  const offered = describeTools({ ...surface, access: service }, caller, null);
  // Models are given name, description and input schema.
  const tokens = offered
    .map(({ name, description, inputSchema }) =>
      estimateTokens(JSON.stringify({ name, description, inputSchema })),
    )
    .reduce((sum, count) => sum + count, 0);
  return `agent ${agent}: ${offered.length} of ${all.length} tools, about ${Math.round(tokens)} tokens`;
}

/** The principals of the access file; none without a file. */
const principalsIn = (file: string, governance: Governance): readonly Principal[] =>
  file === '' ? [] : new FilePrincipals(readAccess(file, governance)).all;

/** `pith governance check` */
export function checkGovernance(given: string | undefined, flags: Common, tools: readonly AnyTool[]): void {
  const config = loadConfig(settingsFrom(flags));
  const file = fileOf(given, config);
  const governance = readGovernance(file);
  const service = new GovernanceService(governance, ownRegistry(tools, governance), config.governance.agent);
  const surface = resolveSurface(tools, config, {});
  const agents = [...new Set([DEFAULT_AGENT, ...Object.keys(governance.agents)])];
  const { accessFile } = config.http;
  const principals = principalsIn(accessFile, governance);
  const lines = [
    `${file} is valid.`,
    ...(accessFile === '' ? [] : [`${accessFile} is valid: ${principals.length} principals.`]),
    ...agents.map((agent) => offerLine(service, agent, surface)),
    ...unmatched(
      governance,
      tools.map(({ name }) => name),
    ),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
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

const LACKS: Readonly<Record<Withheld, string>> = {
  principal: 'not offered: the access file does not permit it to the principal',
  capability: 'not offered: the agent lacks a capability that the tool requires',
  mount: 'not offered: the agent was not given the part of the server that the tool works on',
  policy: 'not offered: the policy always denies it',
};

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

/** `pith policy explain` */
export function explainPolicy(flags: ExplainFlags, tools: readonly AnyTool[]): void {
  const config = loadConfig(settingsFrom(flags));
  const { agent: serverAgent } = config.governance;
  const governance = readGovernance(fileOf(flags.file, config));
  const tool = canonicalName(resolveSurface(tools, config, {}), flags.tool);
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
  const explained = new GovernanceService(governance, ownRegistry(tools, governance), serverAgent).explain(
    {
      caller,
      scope: takesScope(definition) ? narrowScope(scope, input.scope) : scope,
      input,
      now: () => timeOf(flags.at),
    },
    tool,
  );
  const { effect, rule, withheld, reason, approval } = explained;
  const line = [
    `${effect}: ${tool} for agent ${agent}, principal ${flags.principal}`,
    withheld === null ? `rule: ${rule}` : LACKS[withheld],
    ...(reason === null ? [] : [`reason: ${reason}`]),
    ...(approval === null ? [] : approvalLines(approval)),
  ].join('\n');
  process.stdout.write(
    `${flags.json ? JSON.stringify({ effect, rule, reason, withheld, agent, tool, decided_as: explained.tool, ...approvalFields(approval) }) : line}\n`,
  );
}
