import { type ExecutionContext, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { callOf, deciderOf, mcpContextOf, toolOf } from '../mcp/calls.js';
import type { CallStage } from '../mcp/pipeline/call-stages.js';
import { toolBehind, unknownResource } from '../mcp/resource-requests.js';
import { GovernanceService } from './governance.service.js';

const uriSchema = z.object({ uri: z.string() });

const uriOf = (params: unknown): string => uriSchema.safeParse(params).data?.uri ?? '';

/** Refuses calls that the policy denies: of tools, and of the resources and prompts that return the same content. */
@Injectable()
export class PolicyStage implements CallStage {
  constructor(private readonly governance: GovernanceService) {}

  pass(context: ExecutionContext): void {
    const mcp = mcpContextOf(context);
    if (!mcp) return;
    const { method, params } = mcp.mcpRequest;
    const tool = toolOf(context)?.name ?? deciderOf(mcp) ?? toolBehind(method, uriOf(params));
    if (tool === null) throw unknownResource(uriOf(params));
    this.governance.check(callOf(mcp), tool);
  }
}
