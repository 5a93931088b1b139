import { parseConfig } from '../../../src/config/config.js';
import { ledgerPlaceOf } from '../../../src/config/ledger-place-of.js';

describe('ledgerPlaceOf', () => {
  it('is the ledger file', () => {
    expect(ledgerPlaceOf(parseConfig({ PITH_LEDGER_FILE: '/srv/a.sqlite' }))).toBe('/srv/a.sqlite');
  });

  it('is the governance database, without user, password and parameters', () => {
    const url = 'postgres://pith:secret@db.example:5433/audit?sslmode=verify-full&sslpassword=x';
    expect(ledgerPlaceOf(parseConfig({ PITH_GOVERNANCE_DATABASE: url }))).toBe(
      'postgres://db.example:5433/audit',
    );
  });

  it('is the database of everything, unless the ledger has another one', () => {
    const given = { PITH_DATABASE: 'postgres://db.example/all' };
    expect(ledgerPlaceOf(parseConfig(given))).toBe('postgres://db.example/all');
    const apart = { ...given, PITH_GOVERNANCE_DATABASE: 'postgres://db.example/audit' };
    expect(ledgerPlaceOf(parseConfig(apart))).toBe('postgres://db.example/audit');
  });
});
