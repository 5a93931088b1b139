import { restLines } from '../../core/reply.js';
import { answeredTool } from '../../mcp/tool-controller.js';
import {
  describeToolInput,
  describeToolOutput,
  listToolsInput,
  listToolsOutput,
  MAX_LISTED_TOOLS,
  type ToolDescription,
  type ToolListing,
} from './tool-listing.schemas.js';
import { ToolListingService } from './tool-listing.service.js';

/** Common parts of the tools of the registry. */
const OF_REGISTRY = { feature: 'registry', isCore: false, permission: 'read', mounts: ['registry'] } as const;

function listingText({ tools, total, ...page }: ToolListing): string {
  return [
    `${total} tools.`,
    ...tools.map(
      ({ name, title, version, safety, provider }) =>
        `${name}: ${title} (version ${version}, ${safety}, of ${provider})`,
    ),
    ...restLines(page),
  ].join('\n');
}

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

/** The tools of the registry, in the order of the tool list. */
export const GOVERNANCE_TOOLS = [
  answeredTool(ToolListingService, {
    name: 'tool.list',
    title: 'Tools that you are offered',
    description:
      'Use when you want to know which tools you may call, with version and safety class. ' +
      'Do not use when a question needs an answer. ' +
      `Returns at most ${MAX_LISTED_TOOLS} tools by name, without schemas (16 KB). ` +
      'If you need more, call tool.describe with a name, or pass next_cursor as cursor. ' +
      `Defaults: all namespaces, limit ${MAX_LISTED_TOOLS}. Max: ${MAX_LISTED_TOOLS}.`,
    input: listToolsInput,
    output: listToolsOutput,
    ...OF_REGISTRY,
    budget: { bytes: 16_384, tokens: 7_000 },
    rendering: {
      // Schemas of tools name no documents.
      refs: () => [],
      full: listingText,
      summary: ({ tools, total }) => `${tools.length} of ${total} tools.`,
    },
    answer: async (service, call, { namespace = null, limit, cursor = null }) =>
      service.list(call, { namespace, limit, cursor }),
  }),
  answeredTool(ToolListingService, {
    name: 'tool.describe',
    title: 'One tool in full',
    description:
      'Use when you want the complete schemas of one tool, or the policy rule that decides about your calls of it. ' +
      'Do not use when you want to see which tools there are: call tool.list. ' +
      'Returns at most one tool: version, safety class, schemas and their hash, capabilities, rule (48 KB). ' +
      'If you need more, call it for another tool. Defaults: none. Max: one tool; longer schemas are left out.',
    input: describeToolInput,
    output: describeToolOutput,
    ...OF_REGISTRY,
    budget: { bytes: 49_152, tokens: 20_000 },
    rendering: {
      // Schemas of tools name no documents.
      refs: () => [],
      full: descriptionText,
      summary: ({ name, version, policy }) =>
        `${name}, version ${version}: ${policy.effect} by ${policy.rule}.`,
    },
    answer: async (service, call, { name }) => service.describe(call, name),
  }),
];
