import { settingsFrom } from '../../cli/flags.js';
import { loadConfig } from '../../cli/load-config.js';
import { print } from '../../cli/print.js';
import { InvalidArgumentError } from '../../core/errors.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { canonicalName } from '../../mcp/surface/surface.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import { openGovernanceDatabase } from '../governance-store.js';
import { DefinitionStore, type StoredDefinition } from '../registry/definition-store.js';
import type { RegisteredTool } from '../registry/registered-tool.js';
import type { HistoryFlags, ToolsFlags } from './flags.js';
import { checkAgent, type OpenGovernance, openGovernance } from './open-governance.js';
import { toolTrouble } from './tool-trouble.js';

interface Opened {
  readonly tools: readonly RegisteredTool[];
  readonly opened: OpenGovernance;
}

/** The tools that are turned on; with an agent, those that it is offered. */
async function openTools(flags: ToolsFlags, definitions: readonly AnyTool[]): Promise<Opened> {
  const config = loadConfig(settingsFrom(flags));
  const opened = await openGovernance(config, definitions);
  const { registry, service, surface } = opened;
  const { agent } = flags;
  checkAgent(agent, opened);
  const tools = registry.all().filter(({ name }) => {
    const state = surface.tools.get(name);
    if (agent === undefined) return state?.isOn;
    const actor = { agent, principal: 'local', permissions: ['read'] as const, tools: null };
    return state?.isListed && service.offers(actor, name);
  });
  return { tools, opened };
}

const rowOf = (tool: RegisteredTool) => ({
  name: tool.name,
  namespace: tool.namespace,
  version: tool.version,
  title: tool.title,
  provider: tool.provider,
  safety: tool.safety,
  permission: tool.permission,
  mounts: tool.mounts,
  capabilities: tool.capabilities,
  approval: tool.approval,
  budget: tool.budget,
  annotations: tool.annotations,
  schema_hash: tool.schemaHash,
});

const capabilitiesText = ({ capabilities }: RegisteredTool): string => capabilities.join(', ') || '*';

/** `pith tools` */
export async function listTools(flags: ToolsFlags, definitions: readonly AnyTool[]): Promise<void> {
  const { tools } = await openTools(flags, definitions);
  if (flags.json) return print(JSON.stringify(tools.map(rowOf)));
  const width = Math.max(0, ...tools.map(({ name }) => name.length));
  const lines = tools.map((tool) => {
    const { name, version, safety, permission } = tool;
    const facts = [`version ${version}`, safety, `permission ${permission}`];
    return `${name.padEnd(width)}  ${facts.join(', ')}, capabilities: ${capabilitiesText(tool)}`;
  });
  print(...lines, `${tools.length} tools`);
}

/** `pith tools describe` */
export async function describeOneTool(
  name: string,
  flags: ToolsFlags,
  definitions: readonly AnyTool[],
): Promise<void> {
  const { tools, opened } = await openTools(flags, definitions);
  const { surface } = opened;
  const wanted = canonicalName(surface, name);
  const tool = tools.find((each) => each.name === wanted);
  if (!surface.tools.has(wanted)) throw toolTrouble(name, opened);
  if (!tool) {
    throw new InvalidArgumentError(`${wanted} is turned off, or not offered to this agent.`, {
      reason: 'invalid_input',
      hint: 'pith tools lists the tools.',
    });
  }
  const { inputSchema: input_schema, outputSchema: output_schema } = tool;
  if (flags.json) return print(JSON.stringify({ ...rowOf(tool), input_schema, output_schema }));
  const { version, safety, permission, mounts, approval, provider } = tool;
  print(
    [
      `${tool.name}: ${tool.title}`,
      tool.description,
      '',
      `provider: ${provider}, version: ${version}, safety: ${safety}, permission: ${permission}`,
      `capabilities: ${capabilitiesText(tool)}`,
      `mounts: ${mounts.join(', ') || 'none'}`,
      `approval: ${approval === null ? 'no rule asks for one' : `rule ${approval}`}`,
      `schema hash: ${tool.schemaHash}`,
      `input: ${JSON.stringify(input_schema, null, 2)}`,
      `output: ${JSON.stringify(output_schema, null, 2)}`,
    ].join('\n'),
  );
}

interface NamedTool {
  readonly name: string;
  /** Undefined for all versions. */
  readonly version: string | undefined;
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

const factsOf = ({ facts }: StoredDefinition): unknown => JSON.parse(facts);

const definitionRow = (definition: StoredDefinition): object => {
  const { name, version, schemaHash: schema_hash, provider, firstSeen, lastSeen } = definition;
  const times = { first_seen: timeOf(firstSeen), last_seen: timeOf(lastSeen) };
  return { name, version, schema_hash, provider, ...times, ...Object(factsOf(definition)) };
};

const lineOf = ({ version, schemaHash, provider, firstSeen, lastSeen }: StoredDefinition): string =>
  plainLine(
    `version ${version}, provider ${provider}, ${timeOf(firstSeen)} to ${timeOf(lastSeen)}, schema hash ${schemaHash}`,
  );

function nothingStored({ name, version }: NamedTool): InvalidArgumentError {
  const which = plainLine(version === undefined ? name : `${name} version ${version}`);
  return new InvalidArgumentError(`No definition of ${which} is stored.`, {
    reason: 'invalid_input',
    hint: 'Servers with PITH_GOVERNANCE_FILE, PITH_DATABASE or PITH_GOVERNANCE_DATABASE store the definitions of their tools when they start. pith tools lists the tools.',
  });
}

/** `pith tools history` */
export async function printToolHistory(
  { name: given, version }: NamedTool,
  flags: HistoryFlags,
  tools: readonly AnyTool[],
): Promise<void> {
  const config = loadConfig(settingsFrom(flags));
  const { surface } = await openGovernance(config, tools);
  const name = canonicalName(surface, given);
  const store = new DefinitionStore(openGovernanceDatabase(config, 'look'));
  try {
    const all = await store.history(name);
    const found = all.filter((each) => version === undefined || each.version === version);
    if (found.length === 0) throw nothingStored({ name, version });
    const lines = found.flatMap((each) => {
      if (flags.json) return [plainJson(definitionRow(each), 0)];
      return version === undefined ? [lineOf(each)] : [lineOf(each), plainJson(factsOf(each))];
    });
    print(...lines);
  } finally {
    await store.close();
  }
}
