import {
  explainPostgres,
  fromDriver,
  isTransientPostgres,
  PostgresBroken,
  PostgresRefusal,
} from '../../../../src/engines/postgres/postgres-failure.js';

/** An error as the driver reports an answer of the server. */
const answer = (code: string): Error =>
  Object.assign(new Error('value "secret" is wrong'), { severity: 'ERROR', code });

describe('failures of PostgreSQL', () => {
  it('keep the state of an answer, but not its text', () => {
    const refusal = fromDriver(answer('28P01'));
    expect(refusal).toEqual(new PostgresRefusal('28P01'));
    expect(String(refusal)).not.toContain('secret');
  });

  it.each([
    ['a refused connection', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })],
    ['a lost connection', new Error('Connection terminated unexpectedly')],
    ['a missing file', Object.assign(new Error('open'), { code: 'ENOENT' })],
  ])('treat %s as broken', (_, error) => {
    expect(fromDriver(error)).toBeInstanceOf(PostgresBroken);
  });

  it.each([
    ['57P01', true],
    ['08006', true],
    ['40001', true],
    ['53300', true],
    ['28P01', false],
    ['42501', false],
    ['55P03', false],
  ])('with the state %s are temporary: %s', (state, isTemporary) => {
    expect(isTransientPostgres(fromDriver(answer(state)))).toBe(isTemporary);
  });

  it('say what to do about permanent ones', () => {
    const failure = { code: 'BACKEND_UNAVAILABLE', reason: 'postgres' };
    expect(explainPostgres(fromDriver(answer('42501')))).toMatchObject({
      ...failure,
      hint: expect.stringContaining('docs/governance.md'),
    });
    expect(explainPostgres(fromDriver(answer('XX000')))).toMatchObject(failure);
  });
});
