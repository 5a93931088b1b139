import type { Permission } from '../../src/core/call.js';
import { GENERIC_PROFILE } from '../../src/core/host-profile.js';
import type { Reader } from '../../src/mcp/surface/adapt-text.js';

/** A reader of descriptions whose host takes dots in tool names. */
export function aReader(overrides: Partial<Reader> = {}): Reader {
  return {
    agent: 'default',
    principal: 'local',
    permissions: ['read'],
    tools: null,
    host: { ...GENERIC_PROFILE, names: 'dotted' },
    ...overrides,
  };
}

/** The permissions of operators, or of other callers. */
export const permissionsOf = (isOperator: boolean): readonly Permission[] =>
  isOperator ? ['read', 'operator'] : ['read'];
