import type { Call } from '../../core/call.js';
import type { RunKey } from '../../core/ports/run-store.port.js';

/** A run of the caller. */
export function ownKey({ scope, caller }: Call, id: string): RunKey {
  const { projectId, environment } = scope;
  return { id, projectId, environment, principal: caller.principal };
}

/** A run that the caller may read: operators read those of all principals. */
export const readableKey = (call: Call, id: string): RunKey => ({
  ...ownKey(call, id),
  ...(call.caller.isOperator ? { principal: null } : {}),
});
