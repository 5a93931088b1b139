import { AdminFailure } from '../../../../src/admin/admin-failure.js';
import { checkIsFromOurPage } from '../../../../src/admin/forms/operator-forms.js';

const HOST = 'localhost:7484';

describe('checkIsFromOurPage', () => {
  it.each<Record<string, string>>([
    { host: HOST, origin: 'http://localhost:7484' },
    { host: HOST, origin: 'http://localhost:7484', 'sec-fetch-site': 'same-origin' },
    { host: 'pith.example', origin: 'https://pith.example' },
    { host: '[::1]:7484', origin: 'http://[::1]:7484' },
  ])('accepts a form of the same origin: %j', (headers) => {
    expect(() => checkIsFromOurPage({ headers })).not.toThrow();
  });

  it.each<Record<string, string>>([
    { host: HOST, origin: 'null' },
    { host: HOST, origin: '' },
    { host: HOST, origin: 'http://localhost:7485' },
    { host: HOST, origin: 'http://127.0.0.1:7484' },
    { host: HOST, origin: 'http://localhost:7484.evil.example' },
    { host: HOST, origin: 'http://localhost:7484', 'sec-fetch-site': 'same-site' },
    { host: HOST, origin: 'http://localhost:7484', 'sec-fetch-site': 'cross-site' },
    { host: HOST, origin: 'http://localhost:7484', 'sec-fetch-site': 'none' },
    { origin: 'http://localhost:7484' },
  ])('refuses others: %j', (headers) => {
    expect(() => checkIsFromOurPage({ headers })).toThrow(AdminFailure);
  });

  it('names the missing header', () => {
    expect(() => checkIsFromOurPage({ headers: { host: HOST } })).toThrow('without the header Origin');
  });
});
