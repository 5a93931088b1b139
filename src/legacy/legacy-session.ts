import { createHash } from 'node:crypto';
import type { Call } from '../core/call.js';

/**
 * The session id that an older tool names: the caller's own, whatever it is, else `server-` and a UUID that stays for the
 * session. It names the session and opens nothing.
 */
export function sessionName({ caller }: Call, given: string | null = null): string {
  if (given) return given;
  const hex = createHash('sha256').update(`legacy session\n${caller.sessionId}`).digest('hex');
  // As a random UUID looks: version 4, variant 8.
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `server-${parts.join('-')}`;
}
