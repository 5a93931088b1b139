import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import { describeToolInput, describeToolOutput, type ToolDescription } from './tool-listing.schemas.js';
import { ToolListingService } from './tool-listing.service.js';

export const describeToolTool = defineTool({
  name: 'tool.describe',
  title: 'One tool in full',
  description:
    'Use when you want the complete schemas of one tool, or the policy rule that decides about your calls of it. ' +
    'Do not use when you want to see which tools there are: call tool.list. ' +
    'Returns at most one tool: version, safety class, schemas and their hash, capabilities, rule (48 KB). ' +
    'If you need more, call it for another tool. Defaults: none. Max: one tool; longer schemas are left out.',
  input: describeToolInput,
  output: describeToolOutput,
  feature: 'registry',
  isCore: false,
  permission: 'read',
  mounts: ['registry'],
  budget: { bytes: 49_152, tokens: 20_000 },
  rendering: {
    // Schemas of tools name no documents.
    refs: () => [],
    full: descriptionText,
    summary: ({ name, version, policy }) =>
      `${name}, version ${version}: ${policy.effect} by ${policy.rule}.`,
  },
});

function descriptionText(tool: ToolDescription): string {
  const { name, title, description, version, safety, provider, policy, capabilities } = tool;
  const schemaText = (schema: ToolDescription['input_schema']): string =>
    schema === null ? 'not shown' : JSON.stringify(schema);
  return [
    `${name}: ${title}`,
    description,
    `Version ${version}, ${safety}, of ${provider}. Calls are decided by the rule ${policy.rule}: ${policy.effect}.`,
    `Capabilities: ${capabilities.join(', ') || 'all'}. Schema hash: ${tool.schema_hash}`,
    `Input: ${schemaText(tool.input_schema)}`,
    `Output: ${schemaText(tool.output_schema)}`,
  ].join('\n');
}

export const DescribeToolTool = toolController(
  ToolListingService,
  describeToolTool,
  async (service, call, { name }) => service.describe(call, name),
);
