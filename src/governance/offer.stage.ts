import { type ExecutionContext, Injectable } from '@nestjs/common';
import { toolCallOf } from '../mcp/calls.js';
import type { CallStage } from '../mcp/pipeline/call-stages.js';
import { GovernanceService } from './governance.service.js';

/** Refuses tools that the agent is not offered, before their arguments are checked: errors would show their schemas. */
@Injectable()
export class OfferStage implements CallStage {
  constructor(private readonly governance: GovernanceService) {}

  pass(context: ExecutionContext): void {
    const called = toolCallOf(context);
    if (called && !this.governance.offers(called.call.caller, called.definition.name))
      this.governance.check(called.call, called.definition.name);
  }
}
