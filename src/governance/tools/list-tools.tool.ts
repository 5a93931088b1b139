import { restLines } from '../../core/reply.js';
import { defineTool } from '../../mcp/define-tool.js';
import { toolController } from '../../mcp/tool-controller.js';
import {
  listToolsInput,
  listToolsOutput,
  MAX_LISTED_TOOLS,
  type ToolListing,
} from './tool-listing.schemas.js';
import { ToolListingService } from './tool-listing.service.js';

export const listToolsTool = defineTool({
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
  feature: 'registry',
  isCore: false,
  permission: 'read',
  mounts: ['registry'],
  budget: { bytes: 16_384, tokens: 7_000 },
  rendering: {
    // Schemas of tools name no documents.
    refs: () => [],
    full: listingText,
    summary: ({ tools, total }) => `${tools.length} of ${total} tools.`,
  },
});

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

export const ListToolsTool = toolController(
  ToolListingService,
  listToolsTool,
  async (service, call, { namespace = null, limit, cursor = null }) =>
    service.list(call, { namespace, limit, cursor }),
);
