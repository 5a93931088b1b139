import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { z } from 'zod';
import { callOf, mcpContextOf, toolOf } from '../mcp/calls.js';
import { toolBehind, unknownResource } from '../mcp/resource-requests.js';
import { GovernanceService } from './governance.service.js';

const uriSchema = z.object({ uri: z.string() });

const uriOf = (params: unknown): string => uriSchema.safeParse(params).data?.uri ?? '';

/** Refuses calls that the policy denies: of tools, and of the resources and prompts that return the same content. */
@Injectable()
export class PolicyInterceptor implements NestInterceptor {
  constructor(private readonly governance: GovernanceService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const mcp = mcpContextOf(context);
    if (!mcp) return next.handle();
    const { method, params } = mcp.mcpRequest;
    const tool = toolOf(context)?.name ?? toolBehind(method, uriOf(params));
    if (tool === null) throw unknownResource(uriOf(params));
    this.governance.check(callOf(mcp), tool);
    return next.handle();
  }
}
