import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { GraphAnswersService } from '../graph-answers.service.js';
import { childrenSummary, childrenText } from '../render-graph.js';
import { defineGraphTool } from './define-graph-tool.js';
import { cursorSchema, idSchema, nodeSchema, pageSizeSchema, statusShape } from './graph.schemas.js';

const input = z.strictObject({
  parent_id: idSchema.describe('A section or heading id, or a document path.'),
  cursor: cursorSchema,
  page_size: pageSizeSchema,
  scope: scopeSchema.optional(),
});
export type ChildrenInput = z.output<typeof input>;

const output = z.strictObject({
  children: z.array(nodeSchema),
  next_cursor: z.string().nullable(),
  ...statusShape,
});
export type ChildrenOutput = z.output<typeof output>;

export const listChildrenTool = defineGraphTool({
  name: 'graph.children',
  title: 'What is below a heading',
  description:
    'Use when you want the outline of a document or heading (the headings and sections directly below it, in order), ' +
    'or the steps of a procedure. Do not use when you want the headings above: call graph.parents. Returns at most ' +
    'page_size nodes without text. If you need more, call it again with next_cursor. Defaults: 25 nodes a page. Max: ' +
    '100 nodes a page.',
  input,
  output,
  rendering: { full: childrenText, summary: childrenSummary },
});

@McpController()
export class ListChildrenTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(listChildrenTool)
  children(@Payload() input: ChildrenInput, @Ctx() context: McpContext): Promise<Reply<ChildrenOutput>> {
    return this.service.children(callOf(context), input);
  }
}
