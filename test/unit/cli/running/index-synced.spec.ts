import { syncArguments } from '../../../../src/cli/running/index-synced.js';

describe('syncArguments', () => {
  it('sends one secret to no two addresses', async () => {
    const addresses = ['https://a.example.com/', 'git@b.example.com:team/b.git'];
    await expect(syncArguments(addresses, { secret: 'PITH_TEST_TOKEN' })).rejects.toMatchObject({
      reason: 'secret_ambiguous',
    });
  });
});
