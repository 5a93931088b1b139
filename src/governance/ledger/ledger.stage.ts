import { type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { LedgerConfig } from '../../config/settings/ledger.config.js';
import { callOf, mcpContextOf } from '../../mcp/calls.js';
import type { CallStage } from '../../mcp/pipeline/call-stages.js';
import { ToolRegistry } from '../registry/tool-registry.js';
import { argumentsText } from './arguments-text.js';
import { CallLedger } from './call-ledger.js';

/** The arguments to hash. For resources and prompts, `_meta` (such as a progress token) is left out. */
export function hashedArgs(method: string, args: unknown): unknown {
  if (method === 'tools/call') return args;
  return Object.fromEntries(Object.entries(Object(args)).filter(([name]) => name !== '_meta'));
}

/** For resources that no tool decides about; they only read. */
const UNREGISTERED = { safety: 'read', version: '1', mounts: [] } as const;

/** Records the start of a call before it is executed. Only calls that are valid and allowed get here. */
@Injectable()
export class LedgerStage implements CallStage {
  constructor(
    @Inject(CallLedger) private readonly ledger: CallLedger | null,
    private readonly registry: ToolRegistry,
    private readonly config: LedgerConfig,
  ) {}

  pass(context: ExecutionContext): Promise<void> | null {
    const mcp = mcpContextOf(context);
    const { ledger } = this;
    if (!mcp || !ledger) return null;
    const call = callOf(mcp);
    const { method, params } = mcp.mcpRequest;
    const tool = call.decisions.policy?.tool ?? method;
    const args = hashedArgs(method, context.getArgs<unknown[]>()[0]);
    const { safety, version, mounts } = this.registry.find(tool) ?? UNREGISTERED;
    const isPrivate = mounts.some((mount) => mount === 'memory');
    const text = this.config.arguments === 'on' ? argumentsText(args, isPrivate) : undefined;
    const request = { args, argumentsText: text, meta: params?._meta, safety, version };
    return ledger.start(call, tool, request);
  }
}
