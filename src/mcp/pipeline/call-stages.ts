import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { callOf, findDecider, mcpContextOf, toolOf } from '../calls.js';
import { toolBehind, unknownResource } from '../resource-requests.js';
import { ToolAccess } from '../tool-access.js';
import { paramText } from './observed-call.js';

/** A stage that a call passes before it is executed. */
export interface CallStage {
  /** @returns a promise, or nothing if the call can go on at once @throws PithError if the call ends here */
  pass(context: ExecutionContext): Promise<void> | null | void;
}

/** Refuses calls that the caller may not make: of tools, and of the resources and prompts that return the same content. */
@Injectable()
export class AccessStage implements CallStage {
  constructor(private readonly access: ToolAccess) {}

  pass(context: ExecutionContext): void {
    const mcp = mcpContextOf(context);
    if (!mcp) return;
    const { method, params } = mcp.mcpRequest;
    const uri = paramText(params, 'uri');
    const tool = toolOf(context)?.name ?? findDecider(mcp) ?? toolBehind(method, uri);
    if (tool === null) throw unknownResource(uri);
    this.access.check(callOf(mcp), tool);
  }
}

/** Runs the stages in order, in one interceptor: each further interceptor adds an observable to every call. */
export class CallStages implements NestInterceptor {
  constructor(private readonly stages: readonly CallStage[]) {}

  async intercept(context: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    for (const stage of this.stages) await stage.pass(context);
    return next.handle();
  }
}
