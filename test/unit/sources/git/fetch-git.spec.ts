import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fetchGit } from '../../../../src/sources/git/fetch-git.js';
import { readAddress } from '../../../../src/sources/read-address.js';
import type { FetchedCopy, GitSource } from '../../../../src/sources/source.js';
import {
  gitRepository,
  type GitServer,
  gitServer,
  type TestRepository,
} from '../../../support/git-repository.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const LIMITS = { files: 1_000, bytes: 10_000_000, fileBytes: 1_000_000, ms: 60_000 };

let folder: TestFolder;
let repository: TestRepository;
let copies = 0;

beforeEach(() => {
  folder = testFolder();
  mkdirSync(folder.file('repos'));
  repository = gitRepository(folder.file('repos/handbook'), {
    'README.md': '# Home\n\nHello.\n',
    'docs/cranes.md': '# Cranes\n\nCrane 7 lifts container 9.\n',
    'docs/berths.md': '# Berths\n\nBerth 3 is deep.\n',
    'logo.png': 'not a page',
  });
});
afterEach(() => folder.remove());

const sourceFor = (address: string, options: object = {}): GitSource => {
  const source = readAddress(address, options);
  if (source.kind !== 'git') throw new Error('not a repository');
  return source;
};

interface Fetched extends FetchedCopy {
  readonly folder: string;
  readonly read: (path: string) => string;
  readonly lines: readonly string[];
}

async function fetch(source: GitSource, previous: Fetched | null = null, limits = LIMITS): Promise<Fetched> {
  const next = folder.file(`copy ${copies++}`);
  mkdirSync(next);
  const lines: string[] = [];
  const copy = await fetchGit(
    {
      source,
      folder: next,
      previous: previous && { folder: previous.folder, copy: previous },
      signal: new AbortController().signal,
      report: (line) => lines.push(line),
    },
    folder.file('cache'),
    limits,
  );
  const own = join(next, copy.inside ?? '');
  return { ...copy, folder: own, read: (path) => readFileSync(join(own, path), 'utf8'), lines };
}

const paths = ({ files }: FetchedCopy): string[] => files.map(({ path }) => path).sort();

describe('fetchGit', () => {
  it('copies the files of the default branch, with their addresses, the date and the commit', async () => {
    const commit = repository.git('rev-parse', 'HEAD');
    const copy = await fetch(sourceFor(repository.url));
    expect(paths(copy)).toEqual(['README.md', 'docs/berths.md', 'docs/cranes.md']);
    expect(copy.read('docs/cranes.md')).toContain('Crane 7 lifts');
    expect(copy.revision).toBe(`${commit} main`);
    expect(copy.files.find(({ path }) => path === 'README.md')).toEqual({
      path: 'README.md',
      address: `${repository.url}#main:README.md`,
      etag: repository.git('rev-parse', 'HEAD:README.md'),
      modifiedAt: '2024-03-01T10:00:00.000Z',
    });
    expect(existsSync(join(copy.folder, '.git'))).toBe(false);
  });

  it('copies a folder or a file of a branch or a tag', async () => {
    repository.git('tag', '-a', 'v1', '-m', 'x');
    repository.git('branch', 'release/2.0');
    repository.commit({ 'docs/new.md': 'new' });
    expect(paths(await fetch(sourceFor(`${repository.url}#v1:docs`)))).toEqual(['berths.md', 'cranes.md']);
    expect(paths(await fetch(sourceFor(`${repository.url}#release/2.0:docs`)))).not.toContain('new.md');
    expect(paths(await fetch(sourceFor(`${repository.url}#main:docs/new.md`)))).toEqual(['new.md']);
  });

  it('brings the settings of the site from the folders above, which are no pages', async () => {
    repository.commit({
      'mkdocs.yml': 'nav: []',
      'config/_default/hugo.toml': 'title = "x"',
      'docs/en/antora.yml': 'name: x',
      'website/sidebars.json': '{}',
      'docs/en/v1/guide/a.md': '# A',
      'other/mkdocs.yml': 'nav: []',
      'package.json': '{}',
    });
    const source = sourceFor(`${repository.url}#main:docs/en/v1`);
    const first = await fetch(source);
    expect(paths(first)).toEqual(['guide/a.md']);
    repository.commit({ 'mkdocs.yml': 'nav: [a.md]' });
    const second = await fetch(source, first);
    expect(second.read('../../../mkdocs.yml')).toBe('nav: [a.md]');
    expect(second.read('../antora.yml')).toBe('name: x');
    expect(second.read('../../../config/_default/hugo.toml')).toContain('title');
    expect(second.read('../../../website/sidebars.json')).toBe('{}');
    const above = ['config', 'docs', 'mkdocs.yml', 'website'];
    expect(readdirSync(join(second.folder, '../../..')).sort()).toEqual(above);
    expect(second.read('guide/a.md')).toBe('# A');
    const page = await fetch(sourceFor(`${repository.url}#main:docs/en/v1/guide/a.md`));
    expect(page.read('../../../../mkdocs.yml')).toContain('nav');
  });

  it('brings settings with equal content to each of their folders', async () => {
    repository.commit({ 'mkdocs.yml': 'nav: []', 'docs/mkdocs.yml': 'nav: []', 'docs/en/a.md': '# A' });
    const copy = await fetch(sourceFor(`${repository.url}#main:docs/en`));
    expect([copy.read('../mkdocs.yml'), copy.read('../../mkdocs.yml')]).toEqual(['nav: []', 'nav: []']);
  });

  it('writes only what has changed, and links the rest to the last copy', async () => {
    const source = sourceFor(repository.url);
    const first = await fetch(source);
    repository.commit({ 'docs/berths.md': '# Berths\n\nBerth 4 is deeper.\n' });
    const second = await fetch(source, first);
    const inode = (copy: Fetched, path: string): number => statSync(join(copy.folder, path)).ino;
    expect(inode(second, 'docs/cranes.md')).toBe(inode(first, 'docs/cranes.md'));
    expect(second.read('docs/berths.md')).toContain('Berth 4');
    expect(first.read('docs/berths.md')).toContain('Berth 3');
    expect(second.lines).toEqual([expect.stringMatching(/^new files of main at [0-9a-f]{10}: 1$/)]);
  });

  it('counts files with the same text', async () => {
    repository.commit({ 'a.md': 'same', 'b.md': 'same' });
    const { lines } = await fetch(sourceFor(repository.url));
    expect(lines).toEqual([expect.stringMatching(/: 5$/)]);
  });

  it('writes a file again that the last copy has lost', async () => {
    const source = sourceFor(repository.url);
    const first = await fetch(source);
    rmSync(join(first.folder, 'docs/cranes.md'));
    repository.commit({ 'docs/berths.md': 'Berth 4' });
    expect((await fetch(source, first)).read('docs/cranes.md')).toContain('Crane 7');
  });

  it('gives the last copy back if the commit is the same, and writes nothing', async () => {
    const source = sourceFor(repository.url);
    const first = await fetch(source);
    const second = await fetch(source, first);
    expect(second.revision).toBe(first.revision);
    expect(readdirSync(second.folder)).toEqual([]);
  });

  it('follows a branch whose history was rewritten', async () => {
    const source = sourceFor(repository.url);
    const first = await fetch(source);
    repository.git('commit', '--amend', '--quiet', '-m', 'other', '--date', '2025-01-01T00:00:00Z');
    repository.commit({ 'docs/x.md': 'x' });
    repository.git('rm', '-q', 'README.md');
    repository.git('commit', '-q', '-m', 'y');
    expect(paths(await fetch(source, first))).toEqual(['docs/berths.md', 'docs/cranes.md', 'docs/x.md']);
  });

  it('transfers a repository anew when old objects fill it', async () => {
    const page = (start: number): string =>
      Array.from({ length: 12_000 }, (_, i) => ((i + start) * 7919) % 104_729).join(' ');
    const limits = { ...LIMITS, bytes: 100_000 };
    let last: Fetched | null = null;
    for (const start of [0, 20_000, 40_000, 60_000]) {
      repository.commit({ 'docs/large.md': page(start) });
      last = await fetch(sourceFor(repository.url), last, limits);
      expect(last.read('docs/large.md')).toBe(page(start));
    }
    const transferred = readdirSync(folder.file('cache/git/objects/pack'))
      .map((name) => statSync(folder.file(`cache/git/objects/pack/${name}`)).size)
      .reduce((sum, size) => sum + size, 0);
    expect(transferred).toBeLessThan(limits.bytes);
  });

  it('reports files that git can not read, and transfers them anew in the next run', async () => {
    const words = Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 104_729).join(' ');
    repository.commit({ 'docs/large.md': words });
    const source = sourceFor(repository.url);
    await fetch(source);
    const folderOfPacks = folder.file('cache/git/objects/pack');
    const [pack = ''] = readdirSync(folderOfPacks).filter((name) => name.endsWith('.pack'));
    const bytes = readFileSync(join(folderOfPacks, pack));
    chmodSync(join(folderOfPacks, pack), 0o600);
    writeFileSync(join(folderOfPacks, pack), bytes.fill(0x55, 20_000, 20_100));
    await expect(fetch(source)).rejects.toMatchObject({ reason: 'source_damaged' });
    expect((await fetch(source)).read('docs/large.md')).toBe(words);
  });

  it.each([
    ['nowhere', 'branch_missing', /has no branch or tag "nowhere"/],
    ['main:none', 'source_empty', /has no files at none/],
  ])('says what is wrong with #%s', async (place, reason, message) => {
    const failed = fetch(sourceFor(`${repository.url}#${place}`));
    await expect(failed).rejects.toMatchObject({ reason, message: expect.stringMatching(message) as string });
  });

  it('says that a repository does not exist', async () => {
    const failed = fetch(sourceFor(`${folder.path.replaceAll(' ', '%20')}/none.git`.replace(/^/, 'file://')));
    await expect(failed).rejects.toMatchObject({ reason: 'source_missing' });
  });

  it.each([
    ['a lock of a killed run', () => writeFileSync(folder.file('cache/git/shallow.lock'), '')],
    [
      'a damaged pack',
      () => {
        for (const name of readdirSync(folder.file('cache/git/objects/pack')))
          execFileSync('sh', [
            '-c',
            `chmod u+w "$1" && : > "$1"`,
            'x',
            folder.file(`cache/git/objects/pack/${name}`),
          ]);
      },
    ],
    ['no head', () => writeFileSync(folder.file('cache/git/HEAD'), '')],
  ])('makes its repository anew after %s', async (_, damage) => {
    const source = sourceFor(repository.url);
    const first = await fetch(source);
    damage();
    repository.commit({ 'docs/new.md': 'new' });
    const second = await fetch(source, first);
    expect(second.read('docs/new.md')).toBe('new');
    expect(second.read('docs/cranes.md')).toContain('Crane 7');
  });

  describe('with a hostile repository', () => {
    it('writes no link, no submodule and no file named like those of git, and reports them', async () => {
      symlinkSync('/etc/passwd', join(repository.folder, 'docs', 'passwd.md'));
      symlinkSync('/etc', join(repository.folder, 'etc'));
      const other = gitRepository(folder.file('repos/other'), { 'a.md': 'a' });
      repository.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.folder, 'sub');
      repository.commit({});
      const copy = await fetch(sourceFor(repository.url));
      expect(copy.refused).toEqual([
        { address: 'docs/passwd.md', reason: 'a symbolic link' },
        { address: 'etc', reason: 'a symbolic link' },
        { address: 'sub', reason: 'a submodule; add its repository as a source' },
      ]);
      expect(readdirSync(copy.folder).sort()).toEqual(['.gitmodules', 'README.md', 'docs']);
      expect(readdirSync(join(copy.folder, 'docs')).sort()).toEqual(['berths.md', 'cranes.md']);
    });

    /** Makes a commit whose tree no honest git would make. */
    function commitTree(
      entries: readonly (readonly [mode: string, type: string, name: string, oid: string])[],
    ): void {
      const input = entries.map(([mode, type, name, oid]) => `${mode} ${type} ${oid}\t${name}\0`).join('');
      const options = { input, cwd: repository.folder };
      const tree = execFileSync('git', ['mktree', '-z', '--missing'], options).toString().trim();
      const commit = repository.git('commit-tree', tree, '-m', 'hostile');
      repository.git('update-ref', 'refs/heads/main', commit);
    }

    it.each(['..', '.git', '.GIT', 'git~1', 'a\\b', 'a\nb'])('leaves out what is below %j', async (name) => {
      const blob = repository.git('rev-parse', 'HEAD:README.md');
      const inner = execFileSync('git', ['mktree'], {
        input: `100644 blob ${blob}\tescaped.md\n`,
        cwd: repository.folder,
      })
        .toString()
        .trim();
      const tree = execFileSync('git', ['hash-object', '-w', '-t', 'tree', '--literally', '--stdin'], {
        cwd: repository.folder,
        input: Buffer.concat(
          [['40000', name, inner] as const, ['100644', 'ok.md', blob] as const].map(([mode, each, oid]) =>
            Buffer.concat([Buffer.from(`${mode} ${each}\0`), Buffer.from(oid, 'hex')]),
          ),
        ),
      })
        .toString()
        .trim();
      repository.git('update-ref', 'refs/heads/main', repository.git('commit-tree', tree, '-m', 'x'));
      const copy = await fetch(sourceFor(repository.url));
      expect(paths(copy)).toEqual(['ok.md']);
      expect(copy.refused).toHaveLength(1);
      expect(existsSync(folder.file('escaped.md'))).toBe(false);
    });

    it('runs no hook, filter or program of the repository', async () => {
      const mark = folder.file('ran');
      const script = `#!/bin/sh\ntouch '${mark}'\ncat\n`;
      for (const hook of ['post-checkout', 'reference-transaction', 'post-merge', 'pre-auto-gc'])
        writeFileSync(join(repository.folder, '.git', 'hooks', hook), script, { mode: 0o755 });
      writeFileSync(folder.file('evil.sh'), script, { mode: 0o755 });
      const evil = folder.file('evil.sh');
      for (const key of [
        'filter.x.smudge',
        'core.fsmonitor',
        'uploadpack.packObjectsHook',
        'core.sshCommand',
      ])
        repository.git('config', key, `'${evil}'`);
      repository.commit({ '.gitattributes': '* filter=x\n', 'docs/a.md': 'text' });
      execFileSync('rm', ['-f', mark]);
      const copy = await fetch(sourceFor(repository.url));
      expect(copy.read('docs/a.md')).toBe('text');
      expect(existsSync(mark)).toBe(false);
    });

    it('stops at the limits of files and bytes, and leaves out a large file', async () => {
      repository.commit({ 'large.md': 'x'.repeat(5_000), 'b.md': 'b', 'c.md': 'c' });
      const source = sourceFor(repository.url);
      const copy = await fetch(source, null, { ...LIMITS, fileBytes: 4_000 });
      expect(copy.refused).toEqual([{ address: 'large.md', reason: 'it is larger than 4000 bytes' }]);
      await expect(fetch(source, null, { ...LIMITS, files: 3 })).rejects.toThrow('more than 3 files');
      await expect(fetch(source, null, { ...LIMITS, bytes: 1_000 })).rejects.toThrow('more than 1000 bytes');
    });

    it('stops after its time', async () => {
      const failed = fetch(sourceFor(repository.url), null, { ...LIMITS, ms: 1 });
      await expect(failed).rejects.toMatchObject({ reason: 'source_timeout' });
    });

    it('takes a mode that only broken repositories have for what it is', async () => {
      const blob = repository.git('rev-parse', 'HEAD:README.md');
      commitTree([['100755', 'blob', 'run.md', blob]]);
      expect(paths(await fetch(sourceFor(repository.url)))).toEqual(['run.md']);
    });
  });

  describe('over HTTP', () => {
    let server: GitServer | undefined;
    afterEach(() => server?.close());

    const overHttp = (allowed: boolean, options: object = {}, path = '/handbook/.git'): GitSource =>
      sourceFor(`${server?.url}${path}`, { ...options, allowedHosts: allowed ? [server?.host] : [] });

    it('transfers one commit, then only what was pushed', async () => {
      server = await gitServer(folder.file('repos'));
      for (let i = 0; i < 30; i++) repository.commit({ [`docs/${i}.md`]: `page ${i} `.repeat(2_000) });
      const first = await fetch(overHttp(true));
      const pack = (): number =>
        readdirSync(folder.file('cache/git/objects/pack'))
          .filter((name) => name.endsWith('.pack'))
          .reduce((sum, name) => sum + statSync(folder.file(`cache/git/objects/pack/${name}`)).size, 0);
      const before = pack();
      repository.commit({ 'docs/one.md': 'one' });
      const second = await fetch(overHttp(true), first);
      expect(second.read('docs/one.md')).toBe('one');
      expect(readFileSync(folder.file('cache/git/shallow'), 'utf8').trim().split('\n').length).toBeLessThan(
        3,
      );
      expect(pack() - before).toBeLessThan(before / 2);
    });

    it('does not transfer the rest of a repository of which a folder is read', async () => {
      const random = Array.from({ length: 20_000 }, (_, i) => (i * 7919) % 104_729).join(' ');
      repository.commit({ 'other/large.md': random });
      server = await gitServer(folder.file('repos'));
      const copy = await fetch(overHttp(true, { branch: 'main', path: 'docs' }));
      expect(paths(copy)).toEqual(['berths.md', 'cranes.md']);
      const listed = ['cat-file', '--batch-check', '--batch-all-objects'];
      const held = execFileSync('git', ['--git-dir', folder.file('cache/git'), ...listed]).toString();
      expect(held).toContain(repository.git('rev-parse', 'HEAD:docs/cranes.md'));
      expect(held).not.toContain(repository.git('rev-parse', 'HEAD:other/large.md'));
    });

    it('has every page of a folder if only some of them were transferred before', async () => {
      server = await gitServer(folder.file('repos'));
      const source = overHttp(true, { branch: 'main', path: 'docs' });
      const first = await fetch(source);
      const berths = '# Berths\n\nBerth 4 is deeper.\n';
      repository.git('mv', 'docs/cranes.md', 'docs/lifts.md');
      repository.commit({ 'docs/berths.md': berths });
      const second = await fetch(source, first);
      expect(second.refused).toEqual([]);
      expect(paths(second)).toEqual(['berths.md', 'lifts.md']);
      expect(second.read('berths.md')).toBe(berths);
      expect(paths(await fetch(source))).toEqual(['berths.md', 'lifts.md']);
    });

    it('asks no host inside of the machine that the list does not allow', async () => {
      server = await gitServer(folder.file('repos'));
      await expect(fetch(overHttp(false))).rejects.toMatchObject({ reason: 'address_refused' });
      expect(server.asked).toEqual([]);
    });

    it.each(['2.36.6', '1.99.0', 'unknown'])('asks nobody with git %s', async (version) => {
      server = await gitServer(folder.file('repos'));
      const real = execFileSync('which', ['git']).toString().trim();
      const script = `#!/bin/sh\ncase "$*" in *version) echo git version ${version};; *) exec ${real} "$@";; esac\n`;
      mkdirSync(folder.file('bin'));
      writeFileSync(folder.file('bin/git'), script, { mode: 0o755 });
      const { PATH = '' } = process.env;
      process.env['PATH'] = `${folder.file('bin')}:${PATH}`;
      const failed = fetch(overHttp(true));
      await expect(failed).rejects.toMatchObject({
        reason: 'git_missing',
        hint: 'Install git 2.37 or later, and have it on PATH.',
      });
      process.env['PATH'] = PATH;
      expect(server.asked).toEqual([]);
    });

    it('follows no redirect', async () => {
      const target = await gitServer(folder.file('repos'));
      server = await gitServer(folder.file('repos'), {
        answer: (request, response) => {
          response.writeHead(302, { location: `${target.url}${request.url}` }).end();
          return true;
        },
      });
      await expect(fetch(overHttp(true))).rejects.toMatchObject({ reason: 'source_moved' });
      expect(target.asked).toEqual([]);
      await target.close();
    });

    it('sends the secret as a header to its host, and shows it nowhere', async () => {
      const token = 'tok-geheim-12345';
      const header = `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
      server = await gitServer(folder.file('repos'), { authorization: header });
      process.env['HANDBOOK_TOKEN'] = token;
      try {
        const copy = await fetch(overHttp(true, { secret: 'HANDBOOK_TOKEN' }));
        expect(copy.files).toHaveLength(3);
        expect(server.asked.at(-1)?.authorization).toBe(header);
        const kept = execFileSync(
          'grep',
          ['-rlE', `${token}|${header.slice(6)}`, folder.path, '--exclude-dir=repos'],
          {
            stdio: ['ignore', 'pipe', 'ignore'],
          },
        );
        expect(kept.toString()).toBe('');
      } catch (error) {
        // grep ends with 1 if it finds nothing.
        expect(error).toMatchObject({ status: 1 });
      } finally {
        delete process.env['HANDBOOK_TOKEN'];
      }
    });

    it('never asks for a password, and hides secrets that a server repeats', async () => {
      const token = 'tok-geheim-12345';
      server = await gitServer(folder.file('repos'), {
        answer: (_, response) => {
          response.writeHead(403, { 'content-type': 'text/plain' }).end(`bad token ${token}`);
          return true;
        },
      });
      process.env['HANDBOOK_TOKEN'] = token;
      const failed = fetch(overHttp(true, { secret: 'HANDBOOK_TOKEN' }));
      await expect(failed).rejects.toMatchObject({
        reason: 'source_refused',
        message: expect.not.stringContaining(token) as string,
      });
      delete process.env['HANDBOOK_TOKEN'];
    });

    it('says which variable is not set', async () => {
      server = await gitServer(folder.file('repos'));
      const failed = fetch(overHttp(true, { secret: 'NO_SUCH_TOKEN' }));
      await expect(failed).rejects.toMatchObject({
        problems: ['sources.handbook: secret: the variable NO_SUCH_TOKEN is not set.'],
      });
    });

    it('reads a server that has only the files of a repository', async () => {
      execFileSync('git', ['clone', '--quiet', '--bare', repository.folder, folder.file('repos/dumb.git')]);
      execFileSync('git', ['-C', folder.file('repos/dumb.git'), 'update-server-info']);
      server = await gitServer(folder.file('repos'), {
        answer: (request, response) => {
          const path = (request.url ?? '').replace(/\?.*/, '');
          const file = folder.file(`repos${path}`);
          if (request.method === 'GET' && existsSync(file) && statSync(file).isFile())
            response.end(readFileSync(file));
          else response.writeHead(404).end();
          return true;
        },
      });
      const copy = await fetch(overHttp(true, { branch: 'main' }, '/dumb.git'));
      expect(copy.files).toHaveLength(3);
    });
  });
});
