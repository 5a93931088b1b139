import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyGraphService } from '../graph/legacy-graph.service.js';
import type { DescribedOutput } from '../graph/legacy-graph.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import { envelopeShape, graphOffShape, idsSchema, nodeShape, sessionIdSchema } from '../legacy.schemas.js';

export const describeNodesTool = defineLegacyTool({
  name: 'describe_nodes',
  title: 'Describe nodes (older name)',
  description:
    'Legacy name of graph.describe; prefer graph.describe. ' +
    'Returns facts about documents, sections and entities by id, without text. ' +
    'fields: id, label, title, level, tokens, doc_tag, anchor; all but level and anchor unless told.',
  input: z.object({
    node_ids: idsSchema,
    fields: z.array(z.string().max(64)).max(16).nullable().default(null),
    session_id: sessionIdSchema,
  }),
  output: z.strictObject({
    results: z.array(z.strictObject(nodeShape).partial()),
    cursor: z.null(),
    next_cursor: z.null(),
    ...graphOffShape,
    ...envelopeShape,
  }),
  rendering: jsonRendering<DescribedOutput>(({ results }) => results.length, 'nodes'),
});

@McpController()
export class DescribeNodesTool {
  constructor(private readonly service: LegacyGraphService) {}

  @McpTool(describeNodesTool)
  describe(
    @Payload() input: ToolInput<typeof describeNodesTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<DescribedOutput>> {
    return this.service.describe(callOf(context), {
      nodeIds: input.node_ids,
      fields: input.fields,
      sessionId: input.session_id,
    });
  }
}
