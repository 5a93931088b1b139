import { InvalidTokenError } from '../../../mcp/access-tokens.js';

export const expired = (): InvalidTokenError => new InvalidTokenError('The token has expired.', false);

export const notYetValid = (): InvalidTokenError =>
  new InvalidTokenError('The token is not valid yet.', false);

/** The error for a token that was issued for another server. */
export const forOthers = (audiences: readonly string[]): InvalidTokenError =>
  new InvalidTokenError(
    `The token is not for this server: its audience must be ${audiences.join(' or ')}.`,
    false,
  );
