import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { featureDisabled, ScopeViolationError } from '../../core/errors.js';
import { findToolCall } from '../calls.js';
import { Surface } from '../surface/surface.js';

/** Refuses tools that are turned off by flags. */
@Injectable()
export class FeatureGuard implements CanActivate {
  constructor(private readonly surface: Surface) {}

  canActivate(context: ExecutionContext): boolean {
    const definition = findToolCall(context)?.definition;
    if (!definition || this.surface.tools.get(definition.name)?.isOn) return true;
    throw featureDisabled(definition.name);
  }
}

/** Refuses the tools for operators to others. Callers without `read` do not get here: they are offered nothing. */
@Injectable()
export class PermissionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const tool = findToolCall(context);
    if (!tool || tool.call.caller.permissions.includes(tool.definition.permission)) return true;
    throw new ScopeViolationError(`${tool.definition.name} is for operators.`, {
      reason: 'permission_denied',
      hint: 'Continue without it.',
    });
  }
}
