import { type ExecutionContext, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { callOf, deciderOf, mcpContextOf, toolOf } from '../calls.js';
import { toolBehind, unknownResource } from '../resource-requests.js';
import { ToolAccess } from '../tool-access.js';
import type { CallStage } from './call-stages.js';

const uriSchema = z.object({ uri: z.string() });

const uriOf = (params: unknown): string => uriSchema.safeParse(params).data?.uri ?? '';

/** Refuses calls that the caller may not make: of tools, and of the resources and prompts that return the same content. */
@Injectable()
export class AccessStage implements CallStage {
  constructor(private readonly access: ToolAccess) {}

  pass(context: ExecutionContext): void {
    const mcp = mcpContextOf(context);
    if (!mcp) return;
    const { method, params } = mcp.mcpRequest;
    const tool = toolOf(context)?.name ?? deciderOf(mcp) ?? toolBehind(method, uriOf(params));
    if (tool === null) throw unknownResource(uriOf(params));
    this.access.check(callOf(mcp), tool);
  }
}
