import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { foreignCursor } from '../../core/cursor.js';
import { toProtocolError } from '../rendering/error-envelope.js';

/** Valid tool names of the protocol; an invalid name is not repeated in the error. */
const TOOL_NAME = /^[\w.-]{1,128}$/;

export function unknownTool(name: string): ProtocolError {
  const shown = TOOL_NAME.test(name) ? `: ${name}` : '';
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool${shown}. Call tools/list.`);
}

/** Refuses a cursor, for a list of one page. @throws ProtocolError */
export function refuseCursor(cursor: string | undefined): void {
  if (cursor === undefined) return;
  const { code, message, reason, hint } = foreignCursor();
  throw toProtocolError({ error: { code, message, details: { reason, hint } } }, undefined);
}
