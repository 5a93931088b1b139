import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import { z } from 'zod';
import { RELATIONS } from '../../core/graph-model.js';
import type { Reply } from '../../core/reply.js';
import { callOf } from '../../mcp/calls.js';
import { McpTool } from '../../mcp/define-tool.js';
import { scopeSchema } from '../../scope/scope.schema.js';
import { GraphAnswersService } from '../graph-answers.service.js';
import { pathsSummary, pathsText } from '../render-graph.js';
import { defineGraphTool } from './define-graph-tool.js';
import { cursorSchema, idsSchema, relationNamesSchema, statusShape } from './graph.schemas.js';

const input = z.strictObject({
  a_ids: idsSchema(5),
  b_ids: idsSchema(5),
  rel_types: relationNamesSchema,
  max_hops: z.int().min(1).max(5).default(2),
  max_paths: z.int().min(1).max(50).default(10),
  cursor: cursorSchema,
  scope: scopeSchema.optional(),
});
export type PathsInput = z.output<typeof input>;

const output = z.strictObject({
  paths: z.array(
    z.strictObject({ nodes: z.array(z.string()), types: z.array(z.enum(RELATIONS)), length: z.int() }),
  ),
  next_cursor: z.string().nullable(),
  ...statusShape,
});
export type PathsOutput = z.output<typeof output>;

export const findPathsTool = defineGraphTool({
  name: 'graph.paths',
  title: 'How two things are connected',
  description:
    'Use when you want to know how two sections, documents or entities are connected. Do not use when you have only ' +
    'one: call graph.expand. Returns at most max_paths paths, shortest first. If you need more, call it again with ' +
    'next_cursor. Defaults: 2 hops, 10 paths, all relations. Max: 5 ids on each side, 5 hops, 50 paths.',
  input,
  output,
  rendering: { full: pathsText, summary: pathsSummary },
});

@McpController()
export class FindPathsTool {
  constructor(private readonly service: GraphAnswersService) {}

  @McpTool(findPathsTool)
  paths(@Payload() input: PathsInput, @Ctx() context: McpContext): Promise<Reply<PathsOutput>> {
    return this.service.paths(callOf(context), input);
  }
}
