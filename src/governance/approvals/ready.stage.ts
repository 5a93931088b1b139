import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { McpContext } from '@rekog/mcp-nest';
import { calledTool, callOf, mcpContextOf } from '../../mcp/calls.js';
import type { CallStage } from '../../mcp/pipeline/access.stage.js';
import { streamedCallOf } from '../../mcp/pipeline/streamed-calls.js';
import { CallLedger } from '../ledger/call-ledger.js';
import { approvalByTool } from './approval-refusals.js';

/** Refuses calls that need approval and can't succeed: nobody is asked about them, and they use no approval. */
@Injectable()
export class ReadyStage implements CallStage {
  constructor(
    private readonly modules: ModuleRef,
    @Inject(CallLedger) private readonly ledger: CallLedger | null,
  ) {}

  pass(context: ExecutionContext): Promise<void> | null {
    const mcp = mcpContextOf(context);
    const policy = mcp ? callOf(mcp).decisions.policy : null;
    if (!mcp || !policy?.approval) return null;
    if (streamedCallOf(mcp)) throw approvalByTool(policy.tool);
    const [input] = context.getArgs<unknown[]>();
    return this.check(mcp, input);
  }

  /** First looks up the run: the ledger records it also for calls that are refused. */
  private async check(mcp: McpContext, input: unknown): Promise<void> {
    const call = callOf(mcp);
    await this.ledger?.join(call, mcp.mcpRequest.params?._meta);
    await calledTool(mcp)?.checkReady?.({
      call,
      input,
      service: (token) => this.modules.get(token, { strict: false }),
    });
  }
}
