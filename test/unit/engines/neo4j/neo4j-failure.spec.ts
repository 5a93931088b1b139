import { isTransient, neo4jFailure } from '../../../../src/engines/neo4j/neo4j-connection.js';

const failure = (code: string): Error => Object.assign(new Error('at 10.0.0.1'), { code });

describe('isTransient', () => {
  it.each([
    ['ServiceUnavailable', true],
    ['SessionExpired', true],
    ['N/A', true],
    ['ERR_OUT_OF_RANGE', true],
    ['Neo.TransientError.General.DatabaseUnavailable', true],
    ['Neo.ClientError.Statement.SyntaxError', false],
    ['Neo.ClientError.Security.Unauthorized', false],
  ])('%s: %s', (code, expected) => {
    expect(isTransient(failure(code))).toBe(expected);
  });
});

describe('neo4jFailure', () => {
  it.each([
    ['Neo.ClientError.Security.Unauthorized', { code: 'BACKEND_UNAVAILABLE', reason: 'neo4j' }],
    ['Neo.ClientError.Database.DatabaseNotFound', { code: 'BACKEND_UNAVAILABLE', reason: 'neo4j' }],
    ['Neo.ClientError.Transaction.TransactionTimedOut', { code: 'TIMEOUT', reason: 'neo4j' }],
  ])('explains %s, without the text of the server', (code, expected) => {
    const explained = neo4jFailure(failure(code));
    expect(explained).toMatchObject(expected);
    expect(String(explained)).not.toContain('10.0.0.1');
  });

  it('does not change other errors', () => {
    const error = failure('Neo.ClientError.Statement.SyntaxError');
    expect(neo4jFailure(error)).toBe(error);
  });
});
