import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { foreignCursor } from '../../core/cursor.js';
import { toProtocolError } from '../pipeline/error-envelope.js';

/** What tools may be called by the protocol; anything else is not sent back. */
const TOOL_NAME = /^[\w.-]{1,128}$/;

export function unknownTool(name: string): ProtocolError {
  const told = TOOL_NAME.test(name) ? `: ${name}` : '';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool${told}. Call tools/list.`);
}

/** Refuses any cursor for a list that has one page. @throws ProtocolError */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  const { code, message, reason, hint } = foreignCursor();
  throw toProtocolError({ error: { code, message, details: { reason, hint } } }, undefined);
}
