import { writeFileSync } from 'node:fs';
import { syncArguments } from '../../../../src/cli/running/index-synced.js';
import { zip } from '../../../support/convert-fixture.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
const { XDG_DATA_HOME } = process.env;

afterAll(() => {
  if (XDG_DATA_HOME === undefined) delete process.env['XDG_DATA_HOME'];
  else process.env['XDG_DATA_HOME'] = XDG_DATA_HOME;
  folder.remove();
});

describe('syncArguments', () => {
  it('sends one secret to no two addresses', async () => {
    const addresses = ['https://a.example.com/', 'git@b.example.com:team/b.git'];
    await expect(syncArguments(addresses, { secret: 'PITH_TEST_TOKEN' })).rejects.toMatchObject({
      reason: 'secret_ambiguous',
    });
  });

  it('says why nothing of an archive was read', async () => {
    const archive = folder.file('outside.zip');
    writeFileSync(archive, zip({ '../a.md': 'a', '.git/b.md': 'b' }));
    process.env['XDG_DATA_HOME'] = folder.file('data');
    const told = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    await syncArguments([archive], {});
    const lines = told.mock.calls.join('');
    told.mockRestore();
    expect(lines).toContain('refused "../a.md": a path that leaves its folder');
  });
});
