import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { McpContext } from '@rekog/mcp-nest';
import type { ApprovalTerms, PolicyDecision } from '../../core/call.js';
import { calledTool, callOf, mcpContextOf, streamedCallIn } from '../../mcp/calls.js';
import { answerOfUser, askUser, canAskUser } from '../../mcp/input-requests.js';
import type { CallStage } from '../../mcp/pipeline/call-stages.js';
import { GovernanceService } from '../governance.service.js';
import { CallLedger } from '../ledger/call-ledger.js';
import { hashedArgs } from '../ledger/ledger.stage.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { ApprovalGate, type GatedCall } from './approval-gate.js';
import { APPROVAL_FIELD, approvalByTool } from './approval-refusals.js';
import { questionAbout } from './approval-words.js';

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
    if (streamedCallIn(mcp)) throw approvalByTool(policy.tool);
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

/** Runs calls of tools, resources and prompts that need approval only if they were approved. */
@Injectable()
export class ApprovalStage implements CallStage {
  constructor(
    private readonly gate: ApprovalGate,
    private readonly governance: GovernanceService,
    private readonly registry: ToolRegistry,
  ) {}

  pass(context: ExecutionContext): Promise<void> | null {
    const mcp = mcpContextOf(context);
    const policy = mcp ? callOf(mcp).decisions.policy : null;
    if (!mcp || !policy?.approval) return null;
    const [args] = context.getArgs<unknown[]>();
    return this.admit(this.gatedCall(mcp, { ...policy, approval: policy.approval }, args));
  }

  private async admit(gated: GatedCall): Promise<void> {
    gated.call.decisions.decide({ approvalId: await this.gate.admit(gated) });
  }

  private gatedCall(
    mcp: McpContext,
    { tool, rule, approval: terms }: PolicyDecision & { readonly approval: ApprovalTerms },
    args: unknown,
  ): GatedCall {
    const call = callOf(mcp);
    const { method, params } = mcp.mcpRequest;
    const registered = this.registry.find(tool);
    // AccessStage has found it before.
    if (!registered) throw new Error(`${tool} is not registered`);
    const { version, schemaHash, safety } = registered;
    const { principal, agent } = call.caller;
    const policyVersion = this.governance.policyVersion(call.caller);
    const bound = {
      ...{ method, tool, version, schemaHash, principal, agent, scope: call.scope, policyVersion },
      args: hashedArgs(method, args),
    };
    const ask = (approval: Parameters<typeof questionAbout>[0]): void =>
      askUser(mcp, questionAbout(approval));
    return {
      ...{ call, terms, rule, bound, safety },
      named: params?._meta?.[APPROVAL_FIELD],
      answer: answerOfUser(mcp),
      ask: canAskUser(mcp) ? ask : null,
    };
  }
}
