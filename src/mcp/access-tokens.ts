import type { Principal } from './principals.js';

/** What a client must know to get an access token for this server (RFC 9728). */
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

/** The owner of a valid token. */
export interface TokenHolder {
  readonly principal: Principal;
  readonly scopes: readonly string[];
}

/** Thrown for a token that is not valid here. The message is for the caller and holds nothing of the token. */
export class InvalidTokenError extends Error {
  /** @param isGuess  false if the token was issued by one of our authorization servers, so that nobody guessed it */
  constructor(
    message: string,
    readonly isGuess: boolean,
  ) {
    super(message);
  }
}

/** Thrown for a valid token whose claims match no principal. */
export class NoPrincipalError extends Error {
  constructor() {
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
