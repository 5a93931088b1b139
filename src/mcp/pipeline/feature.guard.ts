import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { featureDisabled } from '../../core/errors.js';
import { toolCallOf } from '../calls.js';
import { Surface } from '../surface/surface.js';

/** Refuses tools that are turned off by flags. */
@Injectable()
export class FeatureGuard implements CanActivate {
  constructor(private readonly surface: Surface) {}

  canActivate(context: ExecutionContext): boolean {
    const definition = toolCallOf(context)?.definition;
    if (!definition || this.surface.tools.get(definition.name)?.isOn) return true;
    throw featureDisabled(definition.name);
  }
}
