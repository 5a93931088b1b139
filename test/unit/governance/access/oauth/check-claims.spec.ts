import { checkClaims, isName } from '../../../../../src/governance/access/oauth/check-claims.js';
import { NOW } from '../../../../support/builders.js';

const NOW_S = NOW / 1_000;

const faultOf = (claims: Record<string, unknown>): string => {
  try {
    checkClaims(claims, NOW);
    return 'none';
  } catch (error) {
    return String(Object(error)['fault']);
  }
};

describe('checkClaims', () => {
  it.each<[Record<string, unknown>, string]>([
    [{}, 'none'],
    [{ sub: 'ann', iat: NOW_S, exp: NOW_S + 60, nbf: 0 }, 'none'],
    [{ sub: '3f1c-élodie@example.org' }, 'none'],
    [{ iat: NOW_S + 1 }, 'not_yet_valid'],
    [{ iat: 'soon' }, 'wrong_claim'],
    [{ exp: 1e300 }, 'wrong_claim'],
    [{ exp: Infinity }, 'wrong_claim'],
    [{ exp: null }, 'wrong_claim'],
    [{ nbf: -1 }, 'wrong_claim'],
    [{ sub: '' }, 'wrong_claim'],
    [{ sub: 7 }, 'wrong_claim'],
    [{ sub: 'a'.repeat(256) }, 'wrong_claim'],
    [{ sub: 'ann\nadmin' }, 'wrong_claim'],
    [{ client_id: 'a\u202eb' }, 'wrong_claim'],
    [{ jti: 'a\u0000' }, 'wrong_claim'],
  ])('finds in %j: %s', (claims, fault) => {
    expect(faultOf(claims)).toBe(fault);
  });
});

describe('isName', () => {
  it.each<[unknown, boolean]>([
    ['ann', true],
    ['a'.repeat(255), true],
    ['a'.repeat(256), false],
    ['ann\u2028bob', false],
    [['ann'], false],
  ])('%j: %s', (value, expected) => {
    expect(isName(value)).toBe(expected);
  });
});
