import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  type NestInterceptor,
} from '@nestjs/common';
import { concatMap, defer, type Observable } from 'rxjs';
import { LedgerConfig } from '../../config/settings/ledger.config.js';
import { callOf, mcpContextOf } from '../../mcp/calls.js';
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
export class LedgerInterceptor implements NestInterceptor {
  constructor(
    @Inject(CallLedger) private readonly ledger: CallLedger | null,
    private readonly registry: ToolRegistry,
    private readonly config: LedgerConfig,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const mcp = mcpContextOf(context);
    const { ledger } = this;
    if (!mcp || !ledger) return next.handle();
    const call = callOf(mcp);
    const { method, params } = mcp.mcpRequest;
    const tool = call.trace.policy?.tool ?? method;
    const args = hashedArgs(method, context.getArgs<unknown[]>()[0]);
    const { safety, version, mounts } = this.registry.find(tool) ?? UNREGISTERED;
    const isPrivate = mounts.some((mount) => mount === 'memory');
    const text = this.config.arguments === 'on' ? argumentsText(args, isPrivate) : undefined;
    const request = { args, argumentsText: text, meta: params?._meta, safety, version };
    return defer(() => ledger.start(call, tool, request)).pipe(concatMap(() => next.handle()));
  }
}
