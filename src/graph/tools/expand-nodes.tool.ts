import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { RELATIONS } from '../../core/graph-model.js';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { GraphAnswersService } from '../graph-answers.service.js';
import { expandSummary, expandText } from '../render-graph.js';
import { defineGraphTool } from './define-graph-tool.js';
import {
  cursorSchema,
  idsSchema,
  nodeSchema,
  pageSizeSchema,
  relationsSchema,
  statusShape,
} from './graph.schemas.js';

const input = z.strictObject({
  node_ids: idsSchema(10).describe('Ids, document paths or entity names.'),
  rel_types: relationsSchema,
  direction: z.enum(['in', 'out', 'both']).default('both'),
  max_hops: z.int().min(1).max(3).default(1),
  include_snippet: z.boolean().default(false),
  cursor: cursorSchema,
  page_size: pageSizeSchema,
  scope: scopeSchema.optional(),
});
export type ExpandInput = z.output<typeof input>;

const output = z.strictObject({
  nodes: z.array(nodeSchema),
  edges: z.array(z.strictObject({ src: z.string(), dst: z.string(), type: z.enum(RELATIONS) })),
  next_cursor: z.string().nullable(),
  ...statusShape,
});
export type ExpandOutput = z.output<typeof output>;

export const expandNodesTool = defineGraphTool({
  name: 'graph.expand',
  title: 'What is linked with a passage',
  description:
    'Use when you have the best 1 to 3 results of kb.search and want the sections that they link to or that name the ' +
    'same things. Do not use when you have not searched yet: call kb.search. Returns at most page_size nodes, nearest ' +
    'first, with edges. If you need more, call it again with next_cursor. Defaults: 1 hop, both directions, all ' +
    'relations, 25 nodes a page. Max: 10 ids, 3 hops, 100 nodes a page.',
  input,
  output,
  rendering: { full: expandText, summary: expandSummary },
});

@McpController()
export class ExpandNodesTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(expandNodesTool)
  expand(@Payload() input: ExpandInput, @Ctx() context: McpContext): Promise<Reply<ExpandOutput>> {
    return this.service.expand(callOf(context), input);
  }
}
