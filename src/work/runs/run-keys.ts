import type { Call } from '../../core/call.js';
import { recordsWithin } from '../../core/scope.js';
import { projectOf } from '../project-of.js';
import type { RunKey } from './run.js';

/** A run of the caller. */
export function ownKey(call: Call, id: string): RunKey {
  return { id, ...projectOf(call), principal: call.caller.principal };
}

/** A run that the caller may read: operators read those of others, within their scope. */
export function readableKey(call: Call, id: string): RunKey {
  const { caller, scope } = call;
  const own = ownKey(call, id);
  if (!caller.isOperator) return own;
  const orWithin = recordsWithin(caller.scopeLimit, scope);
  return orWithin === null ? { ...own, principal: null } : { ...own, orWithin };
}
