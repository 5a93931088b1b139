import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyTraverseService } from '../graph/legacy-traverse.service.js';
import type { TraverseOutput } from '../graph/legacy-traverse.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import { anyInt, idsSchema, relTypesSchema } from '../legacy.schemas.js';

export const traverseRelationshipsTool = defineLegacyTool({
  name: 'traverse_relationships',
  title: 'Traverse relationships (older name)',
  description:
    'Legacy name of graph.expand; prefer graph.expand. ' +
    'Returns up to 100 nodes within max_depth (2; 1 to 3) over MENTIONS, HAS_CHUNK and CONTAINS_STEP, both ways, with edges and paths. ' +
    'Problems come as error in a result.',
  input: z.object({
    start_ids: idsSchema,
    rel_types: relTypesSchema,
    max_depth: anyInt.default(2),
    include_text: z.boolean().default(false),
  }),
  output: z.strictObject({
    error: z.string().optional(),
    nodes: z.array(
      z.strictObject({
        id: z.string(),
        label: z.string(),
        properties: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
        distance: z.int(),
      }),
    ),
    relationships: z.array(
      z.strictObject({
        from_id: z.string(),
        to_id: z.string(),
        type: z.string(),
        properties: z.record(z.string(), z.number()),
      }),
    ),
    paths: z.array(z.strictObject({ nodes: z.array(z.string()), length: z.int() })),
    neo4j_disabled: z.literal(true).optional(),
  }),
  rendering: jsonRendering<TraverseOutput>(({ nodes }) => nodes.length, 'nodes'),
});

@McpController()
export class TraverseRelationshipsTool {
  constructor(private readonly service: LegacyTraverseService) {}

  @McpTool(traverseRelationshipsTool)
  traverse(
    @Payload() input: ToolInput<typeof traverseRelationshipsTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<TraverseOutput>> {
    return this.service.traverse(callOf(context), {
      startIds: input.start_ids,
      relTypes: input.rel_types,
      maxDepth: input.max_depth,
      includeText: input.include_text,
    });
  }
}
