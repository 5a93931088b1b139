import { InvalidTokenError } from '../../../mcp/access-tokens.js';

export const expired = (): InvalidTokenError => new InvalidTokenError('expired', 'The token has expired.');

export const notYetValid = (): InvalidTokenError =>
  new InvalidTokenError('not_yet_valid', 'The token is not valid yet.');

/** The error for a token that was issued for another server. */
export const forOthers = (audiences: readonly string[]): InvalidTokenError =>
  new InvalidTokenError(
    'wrong_audience',
    `The token is not for this server: its audience must be ${audiences.join(' or ')}.`,
  );
