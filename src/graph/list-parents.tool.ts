import { Ctx, Payload } from '@nestjs/microservices';
import { McpController, McpContext } from '@rekog/mcp-nest';
import { z } from 'zod';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool } from '../mcp/define-tool.js';
import type { ToolInput } from '../mcp/define-tool.js';
import type { Reply } from '../reply.js';
import { scopeSchema } from '../scope/scope.schema.js';
import { GraphAnswersService } from './graph-answers.service.js';
import type { ParentsOutput } from './graph-answers.service.js';
import { GRAPH_RULES, idsSchema, limitReasonSchema } from './graph.schemas.js';
import { parentsSummary, parentsText } from './render-graph.js';

export const listParentsTool = defineTool({
  name: 'graph.parents',
  title: 'The headings above',
  description:
    'Use when you want what is above sections. Do not use when you want what is below: call graph.children. ' +
    'Returns at most 25 sections, nearest parent first (16 KB). If you need more, call graph.children. ' +
    'Defaults: up to the document. Max: 25 ids.' +
    GRAPH_RULES,
  input: z.strictObject({
    section_ids: idsSchema(25),
    scope: scopeSchema.optional(),
  }),
  output: z.strictObject({
    results: z.array(
      z.strictObject({
        section_id: z.string(),
        parent_id: z.string().nullable(),
        parent_title: z.string().nullable(),
        ancestors: z.array(z.strictObject({ id: z.string(), title: z.string() })),
      }),
    ),
    partial: z.boolean(),
    limit_reason: limitReasonSchema,
    not_found: z.array(z.string()).optional(),
    hint: z.string().optional(),
  }),
  feature: 'graph',
  isCore: false,
  permission: 'read',
  budget: { bytes: 16_384, tokens: 7_000 },
  rendering: { full: parentsText, summary: parentsSummary },
});

@McpController()
export class ListParentsTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(listParentsTool)
  parents(
    @Payload() input: ToolInput<typeof listParentsTool>,
    @Ctx() context: McpContext,
  ): Promise<Reply<ParentsOutput>> {
    return this.service.parents(callOf(context), input.section_ids);
  }
}
