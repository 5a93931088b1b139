import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Observable } from 'rxjs';
import { toolCallOf } from '../mcp/calls.js';
import { GovernanceService } from './governance.service.js';

/** Refuses tools that the agent is not offered, before their arguments are checked: errors would show their schemas. */
@Injectable()
export class OfferInterceptor implements NestInterceptor {
  constructor(private readonly governance: GovernanceService) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const called = toolCallOf(context);
    if (called && !this.governance.offers(called.call.caller, called.definition.name))
      this.governance.check(called.call, called.definition.name);
    return next.handle();
  }
}
