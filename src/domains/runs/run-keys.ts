import type { Call } from '../../core/call.js';
import type { RunKey } from '../../core/ports/work/run-store.port.js';
import { projectOf } from '../project-of.js';

/** A run of the caller. */
export function ownKey(call: Call, id: string): RunKey {
  return { id, ...projectOf(call), principal: call.caller.principal };
}

/** A run that the caller may read: operators read those of all principals. */
export const readableKey = (call: Call, id: string): RunKey => ({
  ...ownKey(call, id),
  ...(call.caller.isOperator ? { principal: null } : {}),
});
