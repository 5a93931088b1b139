import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { finalize, type Observable } from 'rxjs';
import { callOf, mcpContextOf } from '../calls.js';
import { CallerLimits } from './caller-limits.js';

/** Enforces each caller's rate limit and number of concurrent calls. */
@Injectable()
export class LimitInterceptor implements NestInterceptor {
  constructor(private readonly limits: CallerLimits) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const mcp = mcpContextOf(context);
    if (!mcp) return next.handle();
    const call = callOf(mcp);
    const release = this.limits.enter(call.caller.principal, call.now());
    return next.handle().pipe(finalize(release));
  }
}
