import type { Caller } from '../../core/call.js';
import type { Surface, ToolState } from './surface.js';

/**
 * The tool with a name; undefined if it does not exist or the caller is not offered it: both get the same answer.
 * Callers without the permission `operator` know the tools for operators, because the error names what they lack.
 */
export function knownTool({ tools, access }: Surface, name: string, caller: Caller): ToolState | undefined {
  const tool = tools.get(name);
  const isForOperators = tool?.definition.permission === 'operator';
  const actor = isForOperators
    ? { ...caller, permissions: [...caller.permissions, 'operator'] as const }
    : caller;
  return tool && access.offers(actor, name) ? tool : undefined;
}
