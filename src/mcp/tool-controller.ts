import { Inject, type Type } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { z } from 'zod';
import type { Call } from '../core/call.js';
import type { Reply } from '../core/reply.js';
import { callOf } from './calls.js';
import { McpTool, type ToolDefinition } from './define-tool.js';

/** Answers a tool with the service that it needs. */
export type ToolAnswer<Service, I extends z.ZodType, O extends z.ZodType> = (
  service: Service,
  call: Call,
  input: z.output<I>,
) => Promise<Reply<z.output<O>>>;

/** `GraphExpandController` for the tool `graph.expand`. */
function controllerName(tool: string): string {
  const words = tool.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Controller`;
}

/** The controller of one tool. Decorators register methods, so every tool has a class of its own. */
export function toolController<Service, I extends z.ZodType, O extends z.ZodType>(
  token: Type<Service>,
  definition: ToolDefinition<I, O>,
  answer: ToolAnswer<Service, I, O>,
): Type {
  @McpController()
  class ToolController {
    constructor(@Inject(token) private readonly service: Service) {}

    @McpTool(definition)
    answer(@Payload() input: z.output<I>, @Ctx() context: McpContext): Promise<Reply<z.output<O>>> {
      return answer(this.service, callOf(context), input);
    }
  }
  // Nest's logs show the name of the class, stack traces that of the method.
  Object.defineProperty(ToolController, 'name', { value: controllerName(definition.name) });
  Object.defineProperty(ToolController.prototype.answer, 'name', { value: definition.name });
  return ToolController;
}

/** A tool with the way in which its service answers it. */
export type AnsweredTool<Service, I extends z.ZodType, O extends z.ZodType> = ToolDefinition<I, O> & {
  readonly answer: ToolAnswer<Service, I, O>;
};

/** The controller of a tool of a table. */
export const answeredTool = <Service, I extends z.ZodType, O extends z.ZodType>(
  token: Type<Service>,
  { answer, ...tool }: AnsweredTool<Service, I, O>,
): Type => toolController(token, tool, answer);
