import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { InvalidConfigurationError } from '../../config/invalid-configuration.js';
import type { HttpConfig } from '../../config/settings/http.config.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** A host name as the `Host` header spells it: IPv6 in brackets. */
const bracketed = (host: string): string => (isIP(host) === 6 ? `[${host}]` : host);

/** True when an address is reachable from this machine only. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Refuses to listen beyond loopback, and to have visitors, if neither a token nor keys are configured. @throws InvalidConfigurationError */
export function checkBinding(config: HttpConfig): void {
  const { host, token, accessFile, searchPage } = config;
  if (config.publicDocTags.length > 0 && searchPage !== 'public')
    throw new InvalidConfigurationError([
      'PITH_PUBLIC_DOC_TAGS limits only the visitors of PITH_SEARCH_PAGE=public, which is not set. Set it, or remove PITH_PUBLIC_DOC_TAGS.',
    ]);
  if (token !== '' || accessFile !== '') return;
  if (searchPage === 'public') {
    throw new InvalidConfigurationError([
      'PITH_SEARCH_PAGE=public needs PITH_HTTP_TOKEN or PITH_ACCESS_FILE: without them everybody is the caller `local`, and PITH_PUBLIC_DOC_TAGS does not apply.',
    ]);
  }
  if (isLoopback(host)) return;
  throw new InvalidConfigurationError([
    `PITH_HTTP_HOST=${host} is reachable from other machines. Set PITH_HTTP_TOKEN or PITH_ACCESS_FILE, or listen on 127.0.0.1.`,
  ]);
}

/** The allowed `Host` and `Origin` names. They protect against DNS rebinding by web pages. */
export function allowedNames(config: HttpConfig): { readonly hosts: string[]; readonly origins: string[] } {
  const isAnyAddress = config.host === '0.0.0.0' || config.host === '::';
  const own = isAnyAddress ? [] : [bracketed(config.host)];
  return {
    hosts: [...new Set([...LOOPBACK, ...own, ...config.allowedHosts])],
    origins: [...new Set([...LOOPBACK, ...config.allowedOrigins])],
  };
}

/** True when pages of this origin may read responses; false for `null` and for strings that are not URLs. */
export function isAllowedOrigin(origin: string | undefined, names: readonly string[]): boolean {
  if (origin === undefined || !URL.canParse(origin)) return false;
  return names.includes(new URL(origin).hostname);
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares a token with the configured one in constant time; false when none is configured. */
export function isSameToken(given: string, token: string): boolean {
  // timingSafeEqual needs equal lengths; digests have that and don't reveal the token's length.
  return token !== '' && timingSafeEqual(digest(given), digest(token));
}
