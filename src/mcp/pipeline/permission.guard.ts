import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { ScopeViolationError } from '../../core/errors.js';
import { callOf, mcpContextOf } from '../calls.js';
import { definitionOf } from '../define-tool.js';

/** Refuses operator tools to callers who are not operators. */
@Injectable()
export class PermissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const mcp = mcpContextOf(context);
    const definition = mcp ? definitionOf(context.getHandler()) : undefined;
    if (!mcp || definition?.permission !== 'operator' || callOf(mcp).caller.isOperator) return true;
    throw new ScopeViolationError(`${definition.name} is for operators.`, {
      reason: 'permission_denied',
      hint: 'Continue without it.',
    });
  }
}
