import type { Type } from '@nestjs/common';
import { Ctx, Payload } from '@nestjs/microservices';
import { McpContext, McpController } from '@rekog/mcp-nest';
import type { z } from 'zod';
import type { Reply } from '../core/reply.js';
import { callOf } from '../mcp/calls.js';
import { McpTool } from '../mcp/define-tool.js';
import { LegacyService } from './legacy.service.js';
import type { LegacyTool } from './legacy-tool.js';

/** The controller of one older tool. Decorators register methods, so every tool has a class of its own. */
export function controllerOf<I extends z.ZodType, O extends z.ZodType>(tool: LegacyTool<I, O>): Type {
  @McpController()
  class LegacyController {
    constructor(private readonly service: LegacyService) {}

    @McpTool(tool.definition)
    answer(@Payload() input: z.output<I>, @Ctx() context: McpContext): Promise<Reply<z.output<O>>> {
      return tool.answer(this.service, callOf(context), input);
    }
  }
  return LegacyController;
}
