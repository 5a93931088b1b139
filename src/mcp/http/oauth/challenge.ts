import type { ProtectedResource } from '../../access-tokens.js';
import { TOOL_PATHS } from '../tool-paths.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The path of the metadata for a resource (RFC 9728 §3.1). */
function metadataPath(resource: string): string {
  const { pathname } = new URL(resource);
  return WELL_KNOWN + (pathname === '/' ? '' : pathname);
}

/** The paths at which this server answers its metadata: without a path, for `/mcp`, and for the public address. */
export const metadataPaths = (resource: string): ReadonlySet<string> =>
  new Set([WELL_KNOWN, WELL_KNOWN + TOOL_PATHS.mcp, metadataPath(resource)]);

/** The fault of a token, by RFC 6750 §3.1. */
export interface Fault {
  readonly error: 'invalid_token' | 'insufficient_scope';
  readonly error_description: string;
}

/** A quoted string with the characters that RFC 6750 §3 allows. */
const quoted = (text: string): string => `"${text.replaceAll(/[^\x20\x21\x23-\x5b\x5d-\x7e]/g, '')}"`;

/**
 * The value of `WWW-Authenticate`, which tells clients where to get a token.
 * @param resource  null for a server that accepts keys only
 * @param scopes  those to ask for
 */
export function challenge(
  resource: ProtectedResource | null,
  scopes: readonly string[],
  fault?: Fault,
): string {
  if (!resource) return 'Bearer';
  const fields = {
    ...fault,
    resource_metadata: new URL(resource.resource).origin + metadataPath(resource.resource),
    ...(scopes.length > 0 && { scope: scopes.join(' ') }),
  };
  return `Bearer ${Object.entries(fields)
    .map(([name, value]) => `${name}=${quoted(value)}`)
    .join(', ')}`;
}
