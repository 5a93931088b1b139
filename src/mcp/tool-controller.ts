import { Inject, type Type } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { z } from 'zod';
import type { Call } from '../core/call.js';
import type { Reply } from '../core/reply.js';
import { callOf } from './calls.js';
import { McpTool, type ToolDefinition } from './define-tool.js';

/** Answers the calls of a tool with a service. */
export type ToolAnswer<S, I extends z.ZodType, O extends z.ZodType> = (
  service: S,
  call: Call,
  input: z.output<I>,
) => Promise<Reply<z.output<O>>>;

/** The controller of one tool. Decorators register methods, so every tool has a class of its own. */
export function toolController<S, I extends z.ZodType, O extends z.ZodType>(
  service: Type<S>,
  definition: ToolDefinition<I, O>,
  answer: ToolAnswer<S, I, O>,
): Type {
  @McpController()
  class ToolController {
    constructor(@Inject(service) private readonly service: S) {}

    @McpTool(definition)
    answer(@Payload() input: z.output<I>, @Ctx() context: McpContext): Promise<Reply<z.output<O>>> {
      return answer(this.service, callOf(context), input);
    }
  }
  return ToolController;
}
