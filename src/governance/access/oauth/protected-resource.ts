import type { ProtectedResource } from '../../../mcp/access-tokens.js';
import { matchesPattern } from '../../policy/match-rule.js';
import type { OAuth } from './oauth-file.js';

/** The part `oauth` as clients see it, with the scopes that each tool needs. */
export function protectedResource({ resource, issuers, scopes }: OAuth): ProtectedResource {
  const entries = Object.entries(scopes);
  const needs = (patterns: readonly string[], tool: string | null): boolean =>
    patterns.some((pattern) => pattern === '*' || (tool !== null && matchesPattern(pattern, tool)));
  return {
    resource,
    issuers: issuers.map(({ issuer }) => issuer),
    scopes: entries.map(([scope]) => scope),
    needed: (tool) => entries.flatMap(([scope, patterns]) => (needs(patterns, tool) ? [scope] : [])),
  };
}
