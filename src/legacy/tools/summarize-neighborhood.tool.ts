import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import type { ToolInput } from '../../mcp/define-tool.js';
import type { Reply } from '../../core/reply.js';
import { defineLegacyTool } from './define-legacy-tool.js';
import { LegacyGraphService } from '../graph/legacy-graph.service.js';
import type { SummaryOutput } from '../graph/legacy-graph.service.js';
import { jsonRendering } from '../legacy-rendering.js';
import { anyInt, envelopeShape, idsSchema } from '../legacy.schemas.js';

export const summarizeNeighborhoodTool = defineLegacyTool({
  name: 'summarize_neighborhood',
  title: 'Summarize a neighbourhood (older name)',
  description:
    'Legacy name of graph.expand, in short; prefer graph.expand. ' +
    'Returns at most five lines about the nodes and what is linked with them, within token_budget (400) tokens, and their ids.',
  input: z.object({ node_ids: idsSchema, token_budget: anyInt.default(400) }),
  output: z.strictObject({ bullets: z.array(z.string()), citations: z.array(z.string()), ...envelopeShape }),
  rendering: jsonRendering<SummaryOutput>(({ bullets }) => bullets.length, 'bullets'),
});

@McpController()
export class SummarizeNeighborhoodTool {
  constructor(private readonly service: LegacyGraphService) {}

  @McpTool(summarizeNeighborhoodTool)
  summarize(
    @Payload() input: ToolInput<typeof summarizeNeighborhoodTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<SummaryOutput>> {
    return this.service.summarize(callOf(context), {
      nodeIds: input.node_ids,
      tokenBudget: input.token_budget,
    });
  }
}
