import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { GraphAnswersService } from '../graph-answers.service.js';
import { parentsSummary, parentsText } from '../render-graph.js';
import { defineGraphTool } from './define-graph-tool.js';
import { idsSchema, statusShape } from './graph.schemas.js';

const input = z.strictObject({
  section_ids: idsSchema(25),
  scope: scopeSchema.optional(),
});
export type ParentsInput = z.output<typeof input>;

const output = z.strictObject({
  results: z.array(
    z.strictObject({
      section_id: z.string(),
      parent_id: z.string().nullable(),
      parent_title: z.string().nullable(),
      ancestors: z.array(z.strictObject({ id: z.string(), title: z.string() })),
    }),
  ),
  ...statusShape,
});
export type ParentsOutput = z.output<typeof output>;

export const listParentsTool = defineGraphTool({
  name: 'graph.parents',
  title: 'The headings above',
  description:
    'Use when you want the headings above a section, up to its document. Do not use when you want what is below: call ' +
    'graph.children. Returns at most one chain of headings for each id, nearest heading first. If you need more, call ' +
    'graph.children with a heading. Defaults: whole chains. Max: 25 ids.',
  input,
  output,
  rendering: { full: parentsText, summary: parentsSummary },
});

@McpController()
export class ListParentsTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(listParentsTool)
  parents(@Payload() input: ParentsInput, @Ctx() context: McpContext): Promise<Reply<ParentsOutput>> {
    return this.service.parents(callOf(context), input);
  }
}
