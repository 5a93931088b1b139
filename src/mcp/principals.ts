import { createHash } from 'node:crypto';
import type { Allowance, Permission } from '../core/call.js';
import { ANY_GROUP } from '../core/document-groups.js';
import type { ScopeLimit } from '../core/scope.js';
import type { Asking, Holder, ProtectedResource } from './access-tokens.js';

/** A sender of requests, with its rights. */
export interface Principal {
  readonly name: string;
  /** The agent that it acts as; null for that of the server. */
  readonly agent: string | null;
  readonly permissions: readonly Permission[];
  /** Names or patterns of the only tools that it may use; null for all. */
  readonly tools: readonly string[] | null;
  /** The largest scope that its calls can have, within that of the server. */
  readonly scope: ScopeLimit;
  readonly allowance: Allowance;
  /** True if it sees only rows of memory that have its name as a tag. */
  readonly hasOwnMemory: boolean;
}

/** The principals that have keys, or tokens of an authorization server. */
export abstract class Principals {
  /** True if a request without a key or token is refused. */
  abstract readonly areRequired: boolean;
  abstract readonly all: readonly Principal[];
  abstract readonly haveKeys: boolean;
  /** True if some callers have groups. Those of others then can't be left open. */
  abstract readonly haveGroups: boolean;
  /** The principal with this key; null if there is none. Takes the same time for all keys. */
  abstract withKey(key: string): Principal | null;
  /** How clients get access tokens for this server; null if it accepts none. */
  abstract readonly protectedResource: ProtectedResource | null;
  /**
   * The owner of an access token.
   * @param asking  lets a sender wait before an authorization server is asked about the token
   * @throws InvalidTokenError, NoPrincipalError, IssuerUnavailableError
   */
  abstract withToken(token: string, asking: Asking): Promise<Holder>;
}

/** No principal has a key. */
export const NO_PRINCIPALS: Principals = {
  areRequired: false,
  haveKeys: false,
  all: [],
  haveGroups: false,
  protectedResource: null,
  withKey: () => null,
  withToken: () => Promise.reject(new Error('no tokens are accepted')),
};

const unrestricted = (name: string, permissions: readonly Permission[]): Principal => ({
  name,
  agent: null,
  permissions,
  tools: null,
  scope: {},
  allowance: {},
  hasOwnMemory: false,
});

/** All callers of a server without token and keys. */
export const LOCAL = unrestricted('local', ['read']);
/** The user of a STDIO process with PITH_OPERATOR. */
export const LOCAL_OPERATOR = unrestricted('local', ['read', 'operator']);
/** All callers with PITH_HTTP_TOKEN. */
export const BEARER = unrestricted('bearer', ['read']);
/** All callers with PITH_ADMIN_TOKEN. */
export const OPERATOR = unrestricted('operator', ['read', 'operator', 'approve']);
/** Whoever opens the search page without a key, if PITH_SEARCH_PAGE is public. */
export const VISITOR = unrestricted('visitor', ['read']);

/** Principals that need no access file. Their names can't be given to others. */
export const BUILT_IN: readonly Principal[] = [LOCAL, BEARER, OPERATOR, VISITOR];

/** The groups that a setting names; null for all. */
export const readCallerGroups = (names: readonly string[]): readonly string[] | null =>
  names.includes(ANY_GROUP) ? null : [...new Set(names)].sort();

/**
 * A principal that is not in the access file, with the groups of PITH_GROUPS.
 * @param others  the principals of the access file
 */
export function withGroups(
  principal: Principal,
  groups: readonly string[],
  { haveGroups }: Pick<Principals, 'haveGroups'>,
): Principal {
  if (groups.length === 0 && !haveGroups) return principal;
  return { ...principal, scope: { ...principal.scope, groups: readCallerGroups(groups) } };
}

/** Values that are part of a name as they are. A digest begins with another character. */
const PLAIN = /^[\x21-\x7d]{1,128}$/;

/** The name of one of the owners of tokens that share an entry of the file. No name in the file has a colon. */
export function memberName(entry: string, value: string): string {
  const digest = (): string => `~${createHash('sha256').update(value).digest('base64url')}`;
  return `${entry}:${PLAIN.test(value) ? value : digest()}`;
}

/** The name in the file. */
export const entryName = (principal: string): string => principal.split(':', 1).join('');

const authenticated = new WeakMap<object, Holder>();

/** Sets the principal of an HTTP request. @param scopes  of its access token; null if it has none */
export function setPrincipal(
  request: object,
  principal: Principal,
  scopes: readonly string[] | null = null,
): void {
  authenticated.set(request, { principal, scopes });
}

/** Requests to servers whose pages no browser can open. */
const withoutPages = new WeakSet<object>();

/** Notes that the pages of the server open for nobody. */
export const noteNoPages = (request: object): void => void withoutPages.add(request);

/** True for an HTTP request to a server whose pages somebody can open. */
export const hasPages = (request: unknown): boolean => !withoutPages.has(Object(request));

/** Why the tokens of HTTP requests were refused. */
const refusals = new WeakMap<object, string>();

/** Notes for the audit why the token of a request is refused. @param reason  a fixed word, nothing of the token */
export const noteRefusal = (request: object, reason: string): void => void refusals.set(request, reason);

/** Why the token of a request was refused; null if it was not, or it had none. */
export const refusalOf = (request: object): string | null => refusals.get(request) ?? null;

/** The principal of an HTTP request; undefined if no guard has authenticated it. */
export const principalIn = (request: unknown): Principal | undefined =>
  typeof request === 'object' && request !== null ? authenticated.get(request)?.principal : undefined;

/** Those of the scopes that the token of a request does not have. */
export const missingScopes = (request: object, needed: readonly string[]): readonly string[] => {
  const scopes = authenticated.get(request)?.scopes;
  return scopes ? needed.filter((scope) => !scopes.includes(scope)) : [];
};

/** The principal of an HTTP request. @throws Error if no guard has authenticated it */
export function principalOf(request: unknown): Principal {
  const principal = principalIn(request);
  if (!principal) throw new Error('the request was not authenticated');
  return principal;
}
