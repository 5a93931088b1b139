import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ScopeViolationError } from '../../core/errors.js';
import { toolCallOf } from '../calls.js';

/** Refuses the tools for operators to others. Callers without `read` do not get here: they are offered nothing. */
@Injectable()
export class PermissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const tool = toolCallOf(context);
    if (!tool || tool.call.caller.permissions.includes(tool.definition.permission)) return true;
    throw new ScopeViolationError(`${tool.definition.name} is for operators.`, {
      reason: 'permission_denied',
      hint: 'Continue without it.',
    });
  }
}
