import { parseConfig } from '../../../../src/config/config.js';
import { openAccess } from '../../../../src/governance/access/open-access.js';
import { OPERATOR, withGroups } from '../../../../src/mcp/principals.js';
import { accessText, keyOf } from '../../../support/access.js';
import { testFolder } from '../../../support/test-folder.js';
import { writeFiles } from '../../../support/write-files.js';

const folder = testFolder();
const accessFile = folder.file('access.yaml');
const governanceFile = folder.file('governance.yaml');

beforeAll(() => {
  writeFiles(folder.path, {
    'access.yaml': accessText({ bot: { keys: [keyOf('bot')], agent: 'support' } }),
    'groups.yaml': accessText({ bot: { keys: [keyOf('bot')], groups: ['hr'] } }),
    'governance.yaml': 'version: 1\nagents: { support: { capabilities: [] } }\n',
  });
});

afterAll(() => folder.remove());

const open = (env: Record<string, string> = {}) =>
  openAccess(parseConfig({ PITH_ACCESS_FILE: accessFile, PITH_GOVERNANCE_FILE: governanceFile, ...env }), []);

describe('openAccess', () => {
  it('requires no keys without a file', async () => {
    expect(await openAccess(parseConfig({}), [])).toMatchObject({
      principals: { areRequired: false, all: [] },
      projects: {},
    });
  });

  it('reads the file, with the agents of the governance file', async () => {
    expect((await open()).principals).toMatchObject({
      areRequired: true,
      all: [{ name: 'bot', agent: 'support' }],
    });
    await expect(open({ PITH_GOVERNANCE_FILE: '' })).rejects.toThrow(/no agent is named support/);
  });

  it('says that principals of the file have groups, so that those of server tokens have none', async () => {
    const { principals } = await open({ PITH_ACCESS_FILE: folder.file('groups.yaml') });
    expect(principals.haveGroups).toBe(true);
    expect(withGroups(OPERATOR, [], principals).scope).toEqual({ groups: [] });
  });

  it('gives principals no groups if only PITH_GROUPS has some', async () => {
    const { principals } = await open({ PITH_GROUPS: 'hr' });
    expect(principals.haveGroups).toBe(true);
    expect(principals.all.map(({ scope }) => scope)).toEqual([{ groups: [] }]);
  });

  it.each(['PITH_HTTP_TOKEN', 'PITH_ADMIN_TOKEN'])('refuses a key as %s', async (setting) => {
    const opening = open({ [setting]: keyOf('bot') });
    await expect(opening).rejects.toThrow(`${setting} is also a key of the principal bot`);
    await expect(opening).rejects.not.toThrow(keyOf('bot'));
  });
});
