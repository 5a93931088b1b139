import type { Principal } from './principals.js';

/** Metadata that a client needs to get an access token for this server (RFC 9728). */
export interface ProtectedResource {
  /** The address of `/mcp` that clients use. Tokens are asked for with it (RFC 8707). */
  readonly resource: string;
  /** Authorization servers whose tokens are accepted. */
  readonly issuers: readonly string[];
  /** All scopes that a token can need. */
  readonly scopes: readonly string[];
  /** The scopes that a token must have for a tool; null for requests that use none. */
  needed(tool: string | null): readonly string[];
}

/** The sender of a request. */
export interface Holder {
  readonly principal: Principal;
  /** The scopes of its access token; null for all, because it sent a key or another token. */
  readonly scopes: readonly string[] | null;
}

/** Tells the sender of a wrong key what to do. */
export const KEY_UNKNOWN = 'This key is not known here. `pith access check --key-stdin` says what a key is.';

/** The faults that a token can have. */
export type TokenFault =
  | 'malformed'
  | 'unknown_issuer'
  | 'wrong_type'
  | 'wrong_algorithm'
  | 'wrong_signature'
  | 'inactive'
  | 'expired'
  | 'no_longer_active'
  | 'not_yet_valid'
  | 'wrong_audience'
  | 'wrong_claim'
  | 'bound_to_key';

/** Faults of tokens that one of our authorization servers has issued, so that nobody guessed them. */
const ISSUED: readonly TokenFault[] = [
  'expired',
  'no_longer_active',
  'not_yet_valid',
  'wrong_audience',
  'wrong_claim',
  'bound_to_key',
];

/** Thrown for a token that is not valid here. The message is for the caller and holds nothing of the token. */
export class InvalidTokenError extends Error {
  constructor(
    readonly fault: TokenFault,
    message: string,
  ) {
    super(message);
  }

  /** True if the token may have been guessed. */
  get isGuess(): boolean {
    return !ISSUED.includes(this.fault);
  }
}

/** Waits until this sender may make an authorization server work, and then asks it. May throw instead of asking. */
export type Asking = <T>(ask: () => Promise<T>) => Promise<T>;

/** Thrown for a valid token whose claims match no principal. The message is for the caller. */
export class NoPrincipalError extends Error {
  /** @param seen  the claims of the token that the access file asks for, for the operator; never logged */
  constructor(readonly seen: Readonly<Record<string, unknown>>) {
    super(
      'The token is valid, but no principal of this server matches its claims. Ask the operator for access.',
    );
  }
}

/** Thrown when an authorization server can't be asked about a token. */
export class IssuerUnavailableError extends Error {
  constructor(issuer: string, options?: ErrorOptions) {
    super(`The authorization server ${issuer} could not be asked about the token. Try again.`, options);
  }
}
