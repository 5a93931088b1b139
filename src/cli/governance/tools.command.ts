import { InvalidArgumentError } from '../../core/errors.js';
import type { RegisteredTool } from '../../governance/registry/registered-tool.js';
import type { AnyTool } from '../../mcp/define-tool.js';
import { canonicalName, type Surface } from '../../mcp/surface/surface.js';
import { settingsFrom, type ToolsFlags } from '../flags.js';
import { loadConfig } from '../load-config.js';
import { openGovernance } from './open-governance.js';

interface Opened {
  readonly tools: readonly RegisteredTool[];
  readonly surface: Surface;
}

/** The tools that are turned on; with an agent, those that it is offered. */
function openTools(flags: ToolsFlags, definitions: readonly AnyTool[]): Opened {
  const { registry, service, surface } = openGovernance(loadConfig(settingsFrom(flags)), definitions);
  const { agent } = flags;
  const tools = registry.all().filter(({ name }) => {
    const state = surface.tools.get(name);
    if (agent === undefined) return state?.isOn;
    const actor = { agent, principal: 'local', permissions: ['read'] as const, tools: null };
    return state?.isListed && service.offers(actor, name);
  });
  return { tools, surface };
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

const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** `pith tools` */
export function listTools(flags: ToolsFlags, definitions: readonly AnyTool[]): void {
  const { tools } = openTools(flags, definitions);
  if (flags.json) return print(JSON.stringify(tools.map(rowOf)));
  const width = Math.max(0, ...tools.map(({ name }) => name.length));
  const lines = tools.map((tool) => {
    const { name, version, safety, permission } = tool;
    const facts = [`version ${version}`, safety, `permission ${permission}`];
    return `${name.padEnd(width)}  ${facts.join(', ')}, capabilities: ${capabilitiesText(tool)}`;
  });
  print([...lines, `${tools.length} tools`].join('\n'));
}

/** `pith tools describe` */
export function describeOneTool(name: string, flags: ToolsFlags, definitions: readonly AnyTool[]): void {
  const { tools, surface } = openTools(flags, definitions);
  const wanted = canonicalName(surface, name);
  const tool = tools.find((each) => each.name === wanted);
  if (!tool) {
    throw new InvalidArgumentError(`There is no tool ${name}.`, {
      reason: 'invalid_input',
      hint: 'pith tools lists the tools. Tools that are turned off, or not offered to --agent, are not among them.',
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
