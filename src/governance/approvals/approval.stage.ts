import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { McpContext } from '@rekog/mcp-nest';
import type { ApprovalTerms, PolicyTrace } from '../../core/call.js';
import { callOf, mcpContextOf } from '../../mcp/calls.js';
import { answerOfUser, askUser, canAskUser } from '../../mcp/input-requests.js';
import type { CallStage } from '../../mcp/pipeline/access.stage.js';
import { GovernanceService } from '../governance.service.js';
import { hashedArgs } from '../ledger/ledger.stage.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { ApprovalGate, type GatedCall } from './approval-gate.js';
import { questionAbout } from './approval-question.js';
import { APPROVAL_FIELD } from './approval-refusals.js';

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
    { tool, rule, approval: terms }: PolicyTrace & { readonly approval: ApprovalTerms },
    args: unknown,
  ): GatedCall {
    const call = callOf(mcp);
    const { method, params } = mcp.mcpRequest;
    const registered = this.registry.find(tool);
    // The policy stage has found it before.
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
