import { gitConnection, gitPageAddress } from '../../../../src/sources/git/git-connection.js';
import { gitEnvironment } from '../../../../src/sources/git/git-program.js';
import { readAddress } from '../../../../src/sources/read-address.js';
import type { GitSource } from '../../../../src/sources/source.js';

const sourceFor = (address: string, allowedHosts: readonly string[] = []): GitSource => {
  const source = readAddress(address, { allowedHosts });
  if (source.kind !== 'git') throw new Error('not a repository');
  return source;
};

const settings = async (address: string, allowedHosts: readonly string[] = []) =>
  Object.fromEntries((await gitConnection(sourceFor(address, allowedHosts))).settings);

describe('gitConnection', () => {
  it('has git connect to the address that was checked', async () => {
    expect(await settings('https://1.1.1.1/a.git')).toMatchObject({
      'remote.origin.url': 'https://1.1.1.1/a.git',
      'http.curloptResolve': '1.1.1.1:443:1.1.1.1',
    });
    expect(await settings('https://[2606:4700::1111]:8443/a.git')).toMatchObject({
      'http.curloptResolve': '[2606:4700::1111]:8443:[2606:4700::1111]',
    });
  });

  it('pins ssh to the checked address with the name that known_hosts has', async () => {
    const { 'core.sshCommand': command } = await settings('ssh://git@1.1.1.1:2222/a.git');
    expect(command).toContain('-oHostName=1.1.1.1 -oHostKeyAlias=[1.1.1.1]:2222');
    expect(command).toContain('-oBatchMode=yes -oStrictHostKeyChecking=yes');
  });

  it('leaves a host of the list to the configuration of ssh', async () => {
    const { 'core.sshCommand': command } = await settings('git@forge:team/a.git', ['forge']);
    expect(command).not.toContain('HostName');
  });

  it.each([
    'git@127.0.0.1:a.git',
    'git@localhost:a.git',
    'ssh://git@10.0.0.1/a.git',
    'ssh://git@[::1]/a.git',
    'https://169.254.169.254/a.git',
    'https://[::ffff:127.0.0.1]/a.git',
    'https://metadata.google.internal/a.git',
    'http://forge/a.git',
  ])('asks nothing at %s', async (address) => {
    await expect(gitConnection(sourceFor(address))).rejects.toMatchObject({
      reason: expect.stringMatching(/^address_/) as string,
    });
  });
});

describe('gitEnvironment', () => {
  it('has neither files with settings nor variables of the user', () => {
    process.env['GIT_DIR'] = '/tmp/other';
    process.env['GIT_TRACE_CURL'] = '1';
    const signal = new AbortController().signal;
    const place = { repository: '/r', settings: [], protocol: 'https', secrets: [], signal };
    const environment = gitEnvironment(place);
    delete process.env['GIT_DIR'];
    delete process.env['GIT_TRACE_CURL'];
    expect(environment).toMatchObject({
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_ALLOW_PROTOCOL: 'https',
      HOME: '/nonexistent',
    });
    expect(environment).not.toHaveProperty('GIT_DIR');
    expect(environment).not.toHaveProperty('GIT_TRACE_CURL');
  });
});

describe('gitPageAddress', () => {
  const ref = { shown: 'main', isTag: false };

  it.each([
    ['https://github.com/o/r', 'https://github.com/o/r/blob/main/docs/a%20b.md'],
    ['https://github.com/o/r.git', 'https://github.com/o/r/blob/main/docs/a%20b.md'],
    ['git@github.com:o/r.git', 'https://github.com/o/r/blob/main/docs/a%20b.md'],
    ['ssh://git@gitlab.com:22/g/s/r.git', 'https://gitlab.com/g/s/r/-/blob/main/docs/a%20b.md'],
    ['https://bitbucket.org/o/r', 'https://bitbucket.org/o/r/src/main/docs/a%20b.md'],
    ['https://codeberg.org/o/r', 'https://codeberg.org/o/r/src/branch/main/docs/a%20b.md'],
    ['https://git.example.com/r.git', 'https://git.example.com/r.git#main:docs/a%20b.md'],
    ['ssh://git@git.example.com/r.git', 'ssh://git.example.com/r.git#main:docs/a%20b.md'],
  ])('is the page at the forge, or the place in the repository: %s', (address, page) => {
    expect(gitPageAddress(sourceFor(address), ref, 'docs/a b.md')).toBe(page);
  });
});
