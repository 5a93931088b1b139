import { gitConnection, gitPageAddress } from '../../../../src/sources/git/git-connection.js';
import { readAddress } from '../../../../src/sources/read-address.js';
import type { GitSource } from '../../../../src/sources/source.js';

function sourceFor(address: string, allowedHosts: readonly string[] = []): GitSource {
  const source = readAddress(address, { kind: 'git', allowedHosts });
  if (source.kind !== 'git') throw new Error('not a repository');
  return source;
}

describe('gitPageAddress', () => {
  it.each([
    ['https://github.com/o/r.git', 'https://github.com/o/r/blob/main/a%20b.md'],
    ['git@github.com:o/r.git', 'https://github.com/o/r/blob/main/a%20b.md'],
    ['ssh://git@github.example:2222/o/r.git', 'https://github.example/o/r/blob/main/a%20b.md'],
    ['https://gitlab.example:8443/g/s/r', 'https://gitlab.example:8443/g/s/r/-/blob/main/a%20b.md'],
    ['http://gitea.example:3000/o/r.git', 'http://gitea.example:3000/o/r/src/branch/main/a%20b.md'],
    ['https://git.example.com/o/r.git', 'https://git.example.com/o/r.git#main:a%20b.md'],
    ['file:///srv/github.git', 'file:///srv/github.git#main:a%20b.md'],
  ])('of a file of %s', (address, expected) => {
    expect(gitPageAddress(sourceFor(address), { shown: 'main', isTag: false }, 'a b.md')).toBe(expected);
  });
});

describe('gitConnection', () => {
  it.each(['ssh://git@[::1]/x', 'ssh://git@[::1]:2222/x', 'git@127.0.0.1:x', 'ssh://git@10.0.0.1:22/x'])(
    'refuses %s, a machine of its own networks',
    async (address) => {
      await expect(gitConnection(sourceFor(address))).rejects.toMatchObject({ reason: 'address_refused' });
    },
  );

  it.each(['ssh://git@a;touch$IFS$9x/x', 'ssh://git@a`id`/x', "ssh://git@a'b/x"])(
    'refuses %s, whose host means something to a shell',
    async (address) => {
      await expect(gitConnection(sourceFor(address))).rejects.toMatchObject({ reason: 'address_invalid' });
    },
  );

  it.each([
    ['ssh://git@[2606:4700::1111]/x', '-oHostName=2606:4700::1111 -oHostKeyAlias=2606:4700::1111'],
    ['ssh://git@8.8.8.8:2222/x', '-oHostName=8.8.8.8 -oHostKeyAlias=[8.8.8.8]:2222'],
  ])('pins ssh for %s', async (address, pin) => {
    const { settings } = await gitConnection(sourceFor(address));
    expect(Object.fromEntries(settings)['core.sshCommand']).toContain(pin);
  });
});
