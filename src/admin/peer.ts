import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../mcp/http/http-security.js';

/** What proxies add: with one of them the caller is not who holds the other end of the socket. */
const FORWARDING = ['x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'forwarded', 'via'];

/** The address at the other end of the socket; IPv4 as such, also where it came in by IPv6. */
export function addressOf({ socket }: Pick<IncomingMessage, 'socket'>): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:(?=\d+\.)/i, '');
}

/** Whether a request was made on this machine, and by no proxy on it for somebody else. */
export function isFromHere(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  return isLoopback(addressOf(request)) && FORWARDING.every((name) => request.headers[name] === undefined);
}

/** The name in the `Host` header, without the port; IPv6 in brackets; '' where there is none that could be one. */
export function hostNameOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const url = `http://${headers.host ?? ''}`;
  return /^[\w.:[\]-]+$/.test(headers.host ?? '') && URL.canParse(url) ? new URL(url).hostname : '';
}
