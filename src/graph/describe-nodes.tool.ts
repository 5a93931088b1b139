import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool } from '../mcp/define-tool.js';
import type { ToolInput } from '../mcp/define-tool.js';
import type { Reply } from '../reply.js';
import { scopeSchema } from '../scope/scope.schema.js';
import { GraphAnswersService } from './graph-answers.service.js';
import type { DescribeOutput } from './graph-answers.service.js';
import { GRAPH_RULES, idsSchema, limitReasonSchema, nodeSchema } from './graph.schemas.js';
import { nodesSummary, nodesText } from './render-graph.js';

export const describeNodesTool = defineTool({
  name: 'graph.describe',
  title: 'What ids stand for',
  description:
    'Use when ids need a name. Do not use when a question is open. ' +
    'Returns at most 50 nodes without text (16 KB). If you need more, call graph.expand. ' +
    'Defaults: no snippets. Max: 50 ids.' +
    GRAPH_RULES,
  input: z.strictObject({
    node_ids: idsSchema(50),
    include_snippet: z.boolean().default(false),
    scope: scopeSchema.optional(),
  }),
  output: z.strictObject({
    nodes: z.array(nodeSchema),
    partial: z.boolean(),
    limit_reason: limitReasonSchema,
    not_found: z.array(z.string()).optional(),
    hint: z.string().optional(),
  }),
  feature: 'graph',
  isCore: false,
  permission: 'read',
  budget: { bytes: 16_384, tokens: 7_000 },
  rendering: { full: nodesText, summary: nodesSummary },
});

@McpController()
export class DescribeNodesTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(describeNodesTool)
  describe(
    @Payload() input: ToolInput<typeof describeNodesTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<DescribeOutput>> {
    return this.service.describe(callOf(context), input.node_ids, input.include_snippet);
  }
}
