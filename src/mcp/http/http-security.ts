import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { HttpConfig } from '../../config/settings/http.config.js';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Host names as the `Host` header has them: IPv6 in brackets. */
const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** Whether an address is reachable from this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/**
 * Refuses to listen where strangers can reach an open door.
 * @throws InvalidConfigurationError
 */
export function checkBinding({ host, token }: HttpConfig): void {
  if (isLoopback(host) || token !== '') return;
  throw new InvalidConfigurationError([
    `PITH_HTTP_HOST=${host} is reachable from other machines. Set PITH_HTTP_TOKEN, or listen on 127.0.0.1.`,
  ]);
}

/** Which `Host` and `Origin` names are answered: against pages that make a browser call us under another name. */
export function allowedNames(config: HttpConfig): { readonly hosts: string[]; readonly origins: string[] } {
  const isAnyAddress = config.host === '0.0.0.0' || config.host === '::';
  const own = isAnyAddress ? [] : [bracketed(config.host)];
  return {
    hosts: [...new Set([...LOOPBACK, ...own, ...config.allowedHosts])],
    origins: [...new Set([...LOOPBACK, ...config.allowedOrigins])],
  };
}

/** Whether a page of this origin may read our answers; `null` and what is no URL may not. */
export function isAllowedOrigin(origin: string | undefined, names: readonly string[]): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  return names.includes(new URL(origin).hostname);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Whether a token is the configured one; an empty one is nobody's. */
export function isSameToken(given: string, token: string): boolean {
  // Digests have one length, so comparing them tells nothing of either.
  return token !== '' && timingSafeEqual(digest(given), digest(token));
}
