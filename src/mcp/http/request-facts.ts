import type { IncomingMessage } from 'node:http';
import type { Request } from 'express';
import { isLoopback } from './http-security.js';

/** Headers that proxies and networks in front of servers add. With one of them, the peer of the socket is not the caller. */
const FORWARDING =
  /^(?:x-forwarded-.*|x-envoy-.*|cf-.*|forwarded|via|x-real-ip|(?:true|x|x-cluster|fastly)-client-ip)$/;

/** An IPv4 address that is mapped to IPv6 becomes plain IPv4. */
const plain = (address = ''): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

/** Some proxies add a port, which differs in each connection: `203.0.113.9:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (address: string): string =>
  /^\[([\da-f:.]+)\](?::\d+)?$/i.exec(address)?.[1] ?? address.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1');

/** The address of the caller: the one that a trusted proxy names, or else that of the peer. */
export function addressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string {
  return plain(withoutPort(ip ?? socket.remoteAddress ?? ''));
}

/** True if a request comes from this machine and not through a proxy. */
export function isFromHere(request: Pick<IncomingMessage, 'socket' | 'headers'>): boolean {
  return (
    isLoopback(plain(request.socket.remoteAddress)) &&
    !Object.keys(request.headers).some((name) => FORWARDING.test(name))
  );
}

/** The name in the `Host` header without the port; IPv6 in brackets; '' if it is missing or invalid. */
export function hostNameOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const url = `http://${headers.host ?? ''}`;
  return /^[\w.:[\]-]+$/.test(headers.host ?? '') && URL.canParse(url) ? new URL(url).hostname : '';
}

/** The token in an `Authorization` header: `Bearer`, or the password of `Basic`; null without either. */
export function tokenIn(header: string | undefined): string | null {
  const [, scheme = '', value = ''] = /^(Bearer|Basic) +(\S+) *$/i.exec(header ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return value;
  if (scheme === '') return null;
  const credentials = Buffer.from(value, 'base64').toString('utf8');
  return credentials.slice(credentials.indexOf(':') + 1);
}
