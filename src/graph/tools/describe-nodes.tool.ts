import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { GraphAnswersService } from '../graph-answers.service.js';
import { nodesSummary, nodesText } from '../render-graph.js';
import { defineGraphTool } from './define-graph-tool.js';
import { describedSchema, fieldsSchema, idsSchema, statusShape } from './graph.schemas.js';

const input = z.strictObject({
  node_ids: idsSchema(50),
  fields: fieldsSchema,
  include_snippet: z.boolean().default(false),
  scope: scopeSchema.optional(),
});
export type DescribeInput = z.output<typeof input>;

const output = z.strictObject({
  nodes: z.array(describedSchema),
  ...statusShape,
});
export type DescribeOutput = z.output<typeof output>;

export const describeNodesTool = defineGraphTool({
  name: 'graph.describe',
  title: 'What ids stand for',
  description:
    'Use when you have ids of sections, documents or entities and want their titles and kinds. Do not use when you ' +
    'want text: call kb.read_excerpt. Returns at most 50 nodes. If you need more, call graph.expand to see ' +
    'what they are linked with. Defaults: all fields, no snippets. Max: 50 ids.',
  input,
  output,
  rendering: { full: nodesText, summary: nodesSummary },
});

@McpController()
export class DescribeNodesTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(describeNodesTool)
  describe(@Payload() input: DescribeInput, @Ctx() context: McpContext): Promise<Reply<DescribeOutput>> {
    return this.service.describe(callOf(context), input);
  }
}
