import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Call } from '../core/call.js';
import { INDEX_BUILD, type IndexBuild } from '../core/ports/index-build.js';
import { narrowScope, type Scope, type ScopeRequest } from '../core/scope.js';
import { callOf, mcpContextOf, toolOf, updateCall } from '../mcp/calls.js';
import { readsDocuments, takesScope } from '../mcp/define-tool.js';
import { invalidInput } from '../mcp/invalid-input.js';
import { scopeSchema } from './scope.schema.js';
import { ScopeService } from './scope.service.js';

// Only the scope is checked here. All other arguments are checked after the guards.
const requestSchema = z.looseObject({ scope: scopeSchema.optional() });

/** Sets the scope of every call within the limit of its caller, or rejects the call. */
@Injectable()
export class ScopeGuard implements CanActivate {
  constructor(
    private readonly scopes: ScopeService,
    @Inject(INDEX_BUILD) private readonly build: Pick<IndexBuild, 'failingSince'> | null,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const mcp = mcpContextOf(context);
    if (!mcp) return true;
    const call = callOf(mcp);
    const asked = isReader(context) ? askedScope(context) : undefined;
    const callerScope = await this.scopeOf(context, call);
    call.trace.untrusted = await this.scopes.untrusted(call.now());
    if (isReader(context)) call.trace.unreadSince = this.build?.failingSince ?? null;
    updateCall(mcp, { ...call, scope: narrowScope(callerScope, asked), callerScope });
    return true;
  }

  private scopeOf(context: ExecutionContext, { caller, now }: Call): Promise<Scope> {
    const limit = caller.scopeLimit;
    if (!isReader(context)) return this.scopes.beforeDocuments(now(), limit);
    return this.scopes.resolve(undefined, now(), limit);
  }
}

/** True for tools that read documents, and for resources. */
function isReader(context: ExecutionContext): boolean {
  const definition = toolOf(context);
  return !definition || readsDocuments(definition);
}

function askedScope(context: ExecutionContext): ScopeRequest | undefined {
  const definition = toolOf(context);
  // Tools without a scope argument use the scope of the caller.
  if (definition && !takesScope(definition)) return undefined;
  const value: unknown = context.switchToRpc().getData();
  const request = requestSchema.safeParse(value);
  if (!request.success) throw invalidInput(request.error, { schema: requestSchema, value });
  return request.data.scope;
}
