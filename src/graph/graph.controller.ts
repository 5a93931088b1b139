import type { Type } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { z } from 'zod';
import type { Call } from '../core/call.js';
import type { Reply } from '../core/reply.js';
import { callOf } from '../mcp/calls.js';
import { defineTool, McpTool, type ToolDefinition } from '../mcp/define-tool.js';
import { GraphAnswersService } from './graph-answers.service.js';

/** A graph tool, without the settings that all graph tools share. */
type GraphTool<I extends z.ZodType, O extends z.ZodType> = Omit<
  ToolDefinition<I, O>,
  'feature' | 'isCore' | 'permission' | 'budget'
> & {
  readonly answer: (
    answers: GraphAnswersService,
    call: Call,
    input: z.output<I>,
  ) => Promise<Reply<z.output<O>>>;
};

/** The controller of one graph tool. Decorators register methods, so every tool has a class of its own. */
export function graphController<I extends z.ZodType, O extends z.ZodType>({
  answer,
  ...tool
}: GraphTool<I, O>): Type {
  const definition = defineTool({
    ...tool,
    feature: 'graph',
    isCore: false,
    permission: 'read',
    budget: { bytes: 16_384, tokens: 7_000 },
  });

  @McpController()
  class GraphController {
    constructor(private readonly service: GraphAnswersService) {}

    @McpTool(definition)
    answer(@Payload() input: z.output<I>, @Ctx() context: McpContext): Promise<Reply<z.output<O>>> {
      return answer(this.service, callOf(context), input);
    }
  }
  return GraphController;
}
