import { InvalidTokenError } from '../../../mcp/access-tokens.js';
import { seenLine } from '../../../text/show-unseen.js';
import type { Claims } from './match-claims.js';
import { notYetValid } from './wrong-token.js';

/** Longest name of a subject (OpenID Connect Core §2), and of other parties (characters). */
const MAX_NAME_CHARS = 255;
/** The last second of the year 9999 (s since 1970); later times can't be written as dates. */
const LAST_TIME_S = 253_402_300_799;

const TIMES = ['iat', 'nbf', 'exp'];
const NAMES = ['iss', 'sub', 'client_id', 'azp', 'jti'];

const isTime = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= LAST_TIME_S;

/** True for a text that can name somebody: short, on one line, and each of its characters can be seen. */
export const isName = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_NAME_CHARS && seenLine(value) === value;

/** @param now  milliseconds since 1970, with the allowed difference of clocks @throws InvalidTokenError */
export function checkClaims(claims: Claims, now: number): void {
  const isWrong = (name: string, isRight: (value: unknown) => boolean): boolean =>
    claims[name] !== undefined && !isRight(claims[name]);
  const wrong = TIMES.find((name) => isWrong(name, isTime)) ?? NAMES.find((name) => isWrong(name, isName));
  if (wrong !== undefined)
    throw new InvalidTokenError('wrong_claim', `The claim ${wrong} of the token is wrong.`);
  if (Number(claims['iat'] ?? 0) * 1_000 > now) throw notYetValid();
}
