import { z } from 'zod';
import type { Config } from '../../config/config.js';
import type { Caller } from '../../core/call.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import type { ApprovalTerms } from '../../core/ports/approval-store.port.js';
import { limitScope, narrowScope } from '../../core/scope.js';
import { servedOwner } from '../../engines/open-engines.js';
import { configuredScope, principalNamed } from '../../governance/access/explained-caller.js';
import { WITHHELD_WORDS } from '../../governance/agents/discover-tools.js';
import type { Explained } from '../../governance/governance.service.js';
import { type AnyTool, takesScope } from '../../mcp/define-tool.js';
import { parseArguments } from '../../mcp/pipeline/input.stage.js';
import { BUILT_IN, callerOf } from '../../mcp/principals.js';
import { canonicalName } from '../../mcp/surface/surface.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { type ExplainFlags, settingsFrom } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { fileOf, type OpenGovernance, openGovernance, principalsIn } from './open-governance.js';

/** The settings with the project and environment of the index, which servers use if the settings name none. */
function withOwner(config: Config): Config {
  const owner = servedOwner(config);
  const project = config.scope.project || (owner?.projectId ?? '');
  const environment = config.scope.environment || (owner?.environment ?? '');
  return { ...config, scope: { ...config.scope, project, environment } };
}

const scopedSchema = z.looseObject({ scope: scopeSchema.optional() });
const inputSchema = z.record(z.string(), z.unknown());

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

/** A call that is not made; `args` is null if they are not given. */
interface SupposedCall {
  readonly caller: Caller;
  readonly definition: AnyTool;
  readonly args: unknown;
  readonly at: number;
}

/** Decides in the order of the server: scope, arguments, policy. @throws PithError if it refuses before the policy */
function decide(
  { caller, definition, args, at }: SupposedCall,
  { service, config }: OpenGovernance,
): Explained {
  const asked = takesScope(definition) ? scopedSchema.safeParse(args).data?.scope : undefined;
  const scope = narrowScope(limitScope(configuredScope(config), caller.scopeLimit), asked);
  const input = args === null ? null : inputSchema.parse(parseArguments(definition, args));
  return service.explain({ caller, scope, input, now: () => at }, definition.name);
}

function definitionOf(given: string, { surface }: OpenGovernance): AnyTool {
  const definition = surface.tools.get(canonicalName(surface, given))?.definition;
  if (definition) return definition;
  throw new InvalidArgumentError(`There is no tool ${given}.`, {
    reason: 'invalid_input',
    hint: 'pith tools lists the tools.',
  });
}

/** A call that the server refuses before it asks the policy. */
const refusedFields = ({ code, reason, message, hint }: PithError): object => ({
  effect: null,
  refused: { code, reason, message, hint },
});

/** `pith policy explain` */
export async function explainPolicy(flags: ExplainFlags, tools: readonly AnyTool[]): Promise<void> {
  const settings = withOwner(loadConfig(settingsFrom(flags)));
  const opened = await openGovernance(settings, tools, fileOf(flags.file, settings));
  const definition = definitionOf(flags.tool, opened);
  const { governance, config } = opened;
  const principal = principalNamed(flags.principal, [
    ...principalsIn(config.http.accessFile, governance),
    ...BUILT_IN,
  ]);
  const caller = callerOf(flags.agent === undefined ? principal : { ...principal, agent: null }, {
    agent: config.governance.agent,
  });
  const args = flags.args === undefined ? null : jsonOf(flags.args);
  const call = { caller, definition, args, at: timeOf(flags.at) };
  const { agent } = caller;
  const tool = definition.name;
  const about = `${tool} for agent ${agent}, principal ${flags.principal}`;
  const print = (fields: object, lines: string): void =>
    void process.stdout.write(`${flags.json ? JSON.stringify(fields) : lines}\n`);
  try {
    const explained = decide(call, opened);
    const { effect, rule, withheld, reason, approval, tool: decided_as } = explained;
    const fields = { effect, rule, reason, withheld, agent, tool, decided_as, ...approvalFields(approval) };
    print(fields, explanationLines(about, explained));
  } catch (error) {
    if (!(error instanceof PithError)) throw error;
    const lines = [`refused before the policy: ${about}`, `${error.code}: ${error.message}`, error.hint];
    print({ ...refusedFields(error), agent, tool }, lines.join('\n'));
  }
}
