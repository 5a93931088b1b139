import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ScopeViolationError } from '../../core/errors.js';
import { toolCallOf } from '../calls.js';

/** Refuses operator tools to callers who are not operators. */
@Injectable()
export class PermissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const tool = toolCallOf(context);
    if (tool?.definition.permission !== 'operator' || tool.call.caller.isOperator) return true;
    throw new ScopeViolationError(`${tool.definition.name} is for operators.`, {
      reason: 'permission_denied',
      hint: 'Continue without it.',
    });
  }
}
