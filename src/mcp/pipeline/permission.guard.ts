import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ScopeViolationError } from '../../core/errors.js';
import { toolCallOf } from '../calls.js';

/** Refuses tools to callers that lack the permission for them. */
@Injectable()
export class PermissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const tool = toolCallOf(context);
    if (!tool || tool.call.caller.permissions.includes(tool.definition.permission)) return true;
    const { name, permission } = tool.definition;
    throw new ScopeViolationError(
      permission === 'operator' ? `${name} is for operators.` : `${name} needs the permission ${permission}.`,
      { reason: 'permission_denied', hint: 'Continue without it.' },
    );
  }
}
