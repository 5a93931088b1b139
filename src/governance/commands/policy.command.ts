import { z } from 'zod';
import { settingsFrom } from '../../cli/flags.js';
import { loadConfig } from '../../cli/load-config.js';
import { print } from '../../cli/print.js';
import { plural } from '../../cli/reports/report-lines.js';
import type { Config } from '../../config/config.js';
import type { ApprovalTerms, Caller } from '../../core/call.js';
import { InvalidArgumentError, PithError } from '../../core/errors.js';
import { limitScope, narrowScope } from '../../core/scope.js';
import { servedOwner } from '../../engines/open-engines.js';
import { type AnyTool, takesScope } from '../../mcp/define-tool.js';
import { makeCaller } from '../../mcp/pipeline/caller-identity.js';
import { fitArguments, parseArguments } from '../../mcp/pipeline/input.stage.js';
import { BUILT_IN, type Principal } from '../../mcp/principals.js';
import { canonicalName } from '../../mcp/surface/surface.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { configuredScope, principalNamed } from '../access/explained-caller.js';
import { WITHHELD_WORDS } from '../agents/discover-tools.js';
import type { Explained } from '../governance.service.js';
import type { ExplainFlags } from './flags.js';
import { checkAgent, fileOf, type OpenGovernance, openGovernance, principalsIn } from './open-governance.js';
import { toolTrouble } from './tool-trouble.js';

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
    `expires after: ${plural(minutesOf(terms), 'minute')}`,
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
): Explained & { readonly advice: string | null } {
  const asked = takesScope(definition) ? scopedSchema.safeParse(args).data?.scope : undefined;
  const scope = narrowScope(limitScope(configuredScope(config), caller.scopeLimit), asked);
  const input = args === null ? null : inputSchema.parse(parseArguments(definition, args));
  const situation = { caller, scope, input, now: () => at };
  const explained = service.explain(situation, definition.name);
  const { effect, withheld, rule } = explained;
  const isDenied = effect === 'deny' && withheld === null;
  return { ...explained, advice: isDenied ? service.adviceFor(situation, definition.name, rule) : null };
}

function definitionOf(given: string, opened: OpenGovernance): AnyTool {
  const { surface } = opened;
  const definition = surface.tools.get(canonicalName(surface, given))?.definition;
  if (definition) return definition;
  throw toolTrouble(given, opened);
}

/** Says that the server decides calls of a principal for another agent; null if it does not. */
function agentNote({ name, agent }: Principal, explained: string, { config }: OpenGovernance): string | null {
  const own = agent ?? config.governance.agent;
  if (own === explained || BUILT_IN.some((each) => each.name === name)) return null;
  const source = agent === null ? 'PITH_AGENT' : 'the access file';
  return `note: ${name} acts as agent ${own} (${source}), so servers decide its calls for that agent, not for ${explained}`;
}

/** A call that the server refuses before it asks the policy. */
const refusedFields = ({ code, reason, message, hint }: PithError): object => ({
  effect: null,
  refused: { code, reason, message, hint },
});

/** An explanation, as fields for JSON and as lines. */
interface Printed {
  readonly fields: object;
  readonly lines: readonly string[];
}

/** The decision about a call, or why the server refuses it before the policy. @param principal  its name */
function explained(call: SupposedCall, principal: string, opened: OpenGovernance): Printed {
  const { agent } = call.caller;
  const { name: tool } = call.definition;
  const about = `${tool} for agent ${agent}, principal ${principal}`;
  try {
    const decided = decide(call, opened);
    const { effect, rule, withheld, reason, approval, advice, tool: decided_as } = decided;
    const facts = { effect, rule, reason, withheld, agent, tool, decided_as };
    return {
      fields: { ...facts, ...approvalFields(approval), ...(advice === null ? {} : { hint: advice }) },
      lines: [
        explanationLines(about, decided),
        ...(advice === null ? [] : [`hint for the caller: ${advice}`]),
      ],
    };
  } catch (error) {
    if (!(error instanceof PithError)) throw error;
    const lines = [`refused before the policy: ${about}`, `${error.code}: ${error.message}`, error.hint];
    return { fields: { ...refusedFields(error), agent, tool }, lines };
  }
}

/** `pith policy explain` */
export async function explainPolicy(flags: ExplainFlags, tools: readonly AnyTool[]): Promise<void> {
  const settings = withOwner(loadConfig(settingsFrom(flags)));
  const opened = await openGovernance(settings, tools, fileOf(flags.file, settings));
  checkAgent(flags.agent, opened);
  const definition = definitionOf(flags.tool, opened);
  const { config } = opened;
  const principal = principalNamed(flags.principal, [
    ...principalsIn(config.http.accessFile, opened),
    ...BUILT_IN,
  ]);
  const caller = makeCaller(flags.agent === undefined ? principal : { ...principal, agent: null }, {
    agent: flags.agent ?? config.governance.agent,
  });
  const args = flags.args === undefined ? null : fitArguments(definition, jsonOf(flags.args));
  const call = { caller, definition, args, at: timeOf(flags.at) };
  const { fields, lines } = explained(call, principal.name, opened);
  const note = agentNote(principal, caller.agent, opened);
  const text = flags.json
    ? JSON.stringify(note === null ? fields : { ...fields, note })
    : [...lines, ...(note === null ? [] : [note])].join('\n');
  print(text);
}
