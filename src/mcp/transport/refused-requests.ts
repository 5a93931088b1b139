import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '../../core/call.js';
import { foreignCursor } from '../../core/cursor.js';
import { featureDisabled, ScopeViolationError } from '../../core/errors.js';
import { toProtocolError } from '../rendering/error-envelope.js';
import type { ToolState } from '../surface/surface.js';

/** Valid tool names of the protocol; an invalid name is not repeated in the error. */
const TOOL_NAME = /^[\w.-]{1,128}$/;

export function unknownTool(name: string): ProtocolError {
  const shown = TOOL_NAME.test(name) ? `: ${name}` : '';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool${shown}. Call tools/list.`);
}

/** Refuses tools that are turned off by flags, and the tools for operators to others. */
export function checkCallable({ definition, isOn }: ToolState, { permissions }: Caller): void {
  if (!isOn) throw featureDisabled(definition.name);
  // Callers without `read` do not get here: they are offered nothing.
  if (permissions.includes(definition.permission)) return;
  throw new ScopeViolationError(`${definition.name} is for operators.`, {
    reason: 'permission_denied',
    hint: 'Continue without it.',
  });
}

/** Refuses a cursor, for a list of one page. @throws ProtocolError */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  const { code, message, reason, hint } = foreignCursor();
  throw toProtocolError({ error: { code, message, details: { reason, hint } } }, undefined);
}
