import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { download } from '../../../../src/sources/files/download.js';
import { fetchFile } from '../../../../src/sources/files/fetch-file.js';
import { readAddress } from '../../../../src/sources/read-address.js';
import type { FetchedCopy } from '../../../../src/sources/source.js';
import {
  paxPath,
  tarArchive,
  tarGz,
  zipArchive,
  zipWithLink,
  zipWithPassword,
} from '../../../support/hostile-archives.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const LIMITS = { files: 50, bytes: 1_000_000, fileBytes: 100_000, ms: 60_000 };

let folder: TestFolder;
let copies = 0;
beforeEach(() => (folder = testFolder()));
afterEach(() => folder.remove());

interface Fetched extends FetchedCopy {
  readonly folder: string;
}

async function fetch(
  address: string,
  {
    previous = null,
    limits = LIMITS,
    ...options
  }: { previous?: Fetched | null; limits?: typeof LIMITS; allowedHosts?: string[]; secret?: string } = {},
): Promise<Fetched> {
  const source = readAddress(address, options);
  if (source.kind !== 'file' && source.kind !== 'archive') throw new Error(`a ${source.kind}`);
  const next = folder.file(`copies/${copies++}`);
  mkdirSync(next, { recursive: true });
  const signal = new AbortController().signal;
  const last = previous && { folder: previous.folder, copy: previous };
  const request = { source, folder: next, previous: last, signal, report: () => undefined };
  return { ...(await fetchFile(request, folder.file('cache'), limits)), folder: next };
}

function archive(name: string, bytes: Buffer): string {
  writeFileSync(folder.file(name), bytes);
  return folder.file(name);
}

const text = (content: string): Buffer => Buffer.from(content);
const paths = ({ files }: FetchedCopy): string[] => files.map(({ path }) => path).sort();

describe('fetchFile', () => {
  it('copies a single document', async () => {
    writeFileSync(folder.file('guide.md'), '# Guide\n');
    const copy = await fetch(folder.file('guide.md'));
    expect(copy.files).toEqual([{ path: 'guide.md', address: '', modifiedAt: expect.any(String) as string }]);
    expect(readFileSync(join(copy.folder, 'guide.md'), 'utf8')).toBe('# Guide\n');
    expect((await fetch(folder.file('guide.md'), { previous: copy })).revision).toBe(copy.revision);
  });

  it('copies a document that only its content tells, and refuses other data', async () => {
    const manual = await fetch(archive('tool.1', text('.TH TOOL 1\n.SH NAME\ntool\n')));
    expect(paths(manual)).toEqual(['tool.1']);
    await expect(fetch(archive('package.json', text('{"name": "x"}')))).rejects.toThrow(
      'package.json has a format that is not read',
    );
  });

  it('refuses a document that is too large', async () => {
    const failed = fetch(archive('guide.md', Buffer.alloc(100_001)));
    await expect(failed).rejects.toMatchObject({ reason: 'source_too_large' });
  });

  it.each([
    ['docs.zip', () => zipArchive({ 'docs-1.2/a.md': 'a', 'docs-1.2/b/c.md': 'c', 'docs-1.2/x.png': 'p' })],
    [
      'docs.tar.gz',
      () =>
        tarGz([
          { name: 'docs-1.2/', type: '5' },
          { name: 'docs-1.2/a.md', content: text('a') },
          { name: 'docs-1.2/b/c.md', content: text('c') },
        ]),
    ],
    [
      'docs.tar',
      () =>
        tarArchive([
          { name: './docs-1.2/a.md', content: text('a') },
          { name: './docs-1.2/b/c.md', content: text('c') },
        ]),
    ],
  ])('unpacks %s without its only folder', async (name, make) => {
    const copy = await fetch(archive(name, make()));
    expect(paths(copy)).toEqual(['a.md', 'b/c.md']);
    expect(copy.refused).toEqual([]);
  });

  it.each([
    ['docs.zip', () => zipArchive({ 'docs/a.md': 'a', 'logo.png': 'p' })],
    [
      'docs.tgz',
      () =>
        tarGz([
          { name: 'docs/a.md', content: text('a') },
          { name: 'logo.png', content: text('p') },
        ]),
    ],
  ])('keeps the folder of %s if a file that is not read is beside it', async (name, make) => {
    expect(paths(await fetch(archive(name, make())))).toEqual(['docs/a.md']);
  });

  it.each([
    ['docs.zip', () => zipArchive({ 'a.md': 'a', 'more.zip': 'z', 'x.png': 'p' })],
    [
      'docs.tar',
      () => tarArchive(['a.md', 'more.zip', 'x.png'].map((name) => ({ name, content: text('a') }))),
    ],
  ])('lists the archives in %s, and no pictures', async (name, make) => {
    const copy = await fetch(archive(name, make()));
    expect(paths(copy)).toEqual(['a.md']);
    expect(copy.refused).toEqual([
      { address: 'more.zip', reason: expect.stringContaining('pith add FILE') as string },
    ]);
  });

  it('reads the long names of pax and GNU', async () => {
    const long = `${'long/'.repeat(30)}a.md`;
    const gnu = { name: '././@LongLink', type: 'L', content: text(`${long}\0`) };
    const copy = await fetch(
      archive(
        'a.tar',
        tarArchive([
          gnu,
          { name: 'x', content: text('a') },
          paxPath('p.md'),
          { name: 'y', content: text('b') },
        ]),
      ),
    );
    expect(paths(copy)).toEqual([long, 'p.md']);
  });

  describe('with files that need a password', () => {
    const TWO = { 'a.md': text('# A'), 'b.md': text('# B') };

    it('says that a whole archive needs one', async () => {
      const error = fetch(archive('a.zip', zipWithPassword(zipArchive(TWO), ['a.md', 'b.md'])));
      await expect(error).rejects.toMatchObject({
        message: 'The archive needs a password, so it is not read.',
        hint: 'Make it again without a password, or unpack it and give the folder with its files.',
      });
    });

    it('leaves out single files, with the reason', async () => {
      const copy = await fetch(archive('a.zip', zipWithPassword(zipArchive(TWO), ['b.md'])));
      expect(paths(copy)).toEqual(['a.md']);
      expect(copy.refused).toEqual([{ address: 'b.md', reason: 'it needs a password' }]);
    });
  });

  describe('with a hostile archive', () => {
    const names = [
      '../evil.md',
      'a/../../evil.md',
      '/tmp/evil.md',
      'C:\\evil.md',
      '..\\evil.md',
      '.git/hooks/x',
      'a\nb.md',
    ];

    it.each(names)('writes nothing for %j in a tar', async (name) => {
      const copy = await fetch(
        archive(
          'a.tgz',
          tarGz([
            { name, content: text('x') },
            { name: 'ok.md', content: text('ok') },
          ]),
        ),
      );
      expect(readdirSync(copy.folder)).toEqual(['ok.md']);
      expect(copy.refused).toHaveLength(1);
      expect(readdirSync(folder.path).sort()).toEqual(['a.tgz', 'copies']);
    });

    it.each(names)('writes nothing for %j in a zip', async (name) => {
      const copy = await fetch(archive('a.zip', zipArchive({ [name]: 'x', 'ok.md': 'ok' })));
      expect(readdirSync(copy.folder)).toEqual(['ok.md']);
      expect(copy.refused).toHaveLength(1);
      expect(readdirSync(folder.path).sort()).toEqual(['a.zip', 'copies']);
    });

    it('writes nothing through a link that the archive makes first', async () => {
      const items = [
        { name: 'out', type: '2', link: folder.path },
        { name: 'out/evil.md', content: text('x') },
        { name: 'hard.md', type: '1', link: '/etc/passwd' },
        { name: 'dev', type: '3' },
      ];
      const copy = await fetch(archive('a.tgz', tarGz(items)));
      expect(existsSync(folder.file('evil.md'))).toBe(false);
      expect(copy.refused.map(({ reason }) => reason)).toEqual(['not a regular file', 'a link', 'a link']);
      expect(lstatSync(join(copy.folder, 'out')).isDirectory()).toBe(true);
    });

    it('makes no link of a zip', async () => {
      const copy = await fetch(archive('a.zip', zipWithLink('passwd.md', '/etc/passwd')));
      expect(copy.files).toEqual([]);
      expect(copy.refused).toEqual([{ address: 'passwd.md', reason: 'a symbolic link' }]);
    });

    it('refuses a zip that unpacks to more than the limit', async () => {
      const bomb = Object.fromEntries(
        Array.from({ length: 20 }, (_, i) => [`${i}.md`, new Uint8Array(90_000)]),
      );
      await expect(fetch(archive('a.zip', zipArchive(bomb)))).rejects.toMatchObject({
        reason: 'source_too_large',
      });
      const wide = { ...LIMITS, bytes: 1e9, fileBytes: 1e9 };
      const deep = zipArchive({ 'a.md': new Uint8Array(60_000_000) });
      await expect(fetch(archive('b.zip', deep), { limits: wide })).rejects.toThrow('200 times its size');
    });

    it('refuses a tar.gz that unpacks to more than the limit, before it writes anything', async () => {
      const items = Array.from({ length: 20 }, (_, i) => ({
        name: `${i}.md`,
        content: Buffer.alloc(90_000),
      }));
      await expect(fetch(archive('a.tgz', tarGz(items)))).rejects.toMatchObject({
        reason: 'source_too_large',
      });
      expect(readdirSync(folder.file(`copies/${copies - 1}`))).toEqual([]);
    });

    it('leaves out one file that is too large', async () => {
      const large = Buffer.alloc(100_001, 'x');
      const copy = await fetch(
        archive(
          'a.tgz',
          tarGz([
            { name: 'l.md', content: large },
            { name: 'ok.md', content: text('ok') },
          ]),
        ),
      );
      expect(paths(copy)).toEqual(['ok.md']);
      expect(
        (await fetch(archive('a.zip', zipArchive({ 'l.md': large, 'ok.md': 'ok' })))).refused,
      ).toHaveLength(1);
    });

    it('refuses more files than the limit', async () => {
      const files = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`${i}.md`, 'x']));
      await expect(fetch(archive('a.zip', zipArchive(files)))).rejects.toThrow('more than 50 files');
      const items = Object.keys(files).map((name) => ({ name, content: text('x') }));
      await expect(fetch(archive('a.tgz', tarGz(items)))).rejects.toThrow('more than 50 files');
    });

    it.each([
      ['a.tgz', () => tarGz([{ name: 'a.md', content: text('x') }])],
      ['a.zip', () => zipArchive({ 'a.md': 'x' })],
    ])('ends for %s that takes too long to unpack', async (name, make) => {
      const failed = fetch(archive(name, make()), { limits: { ...LIMITS, ms: -1 } });
      await expect(failed).rejects.toThrow('it takes too long to unpack');
    });

    it('keeps the first of two files with one name', async () => {
      const items = [
        { name: 'a.md', content: text('first') },
        { name: 'a.md', content: text('second') },
      ];
      const copy = await fetch(archive('a.tgz', tarGz(items)));
      expect(readFileSync(join(copy.folder, 'a.md'), 'utf8')).toBe('first');
    });

    it.each([
      [
        'a cut tar',
        'a.tar',
        () => tarArchive([{ name: 'a.md', content: text('x'), size: 5_000 }]).subarray(0, 1_024),
      ],
      [
        'a cut tar.gz',
        'a.tgz',
        () => tarGz([{ name: 'a.md', content: text('x'.repeat(900)) }]).subarray(0, 60),
      ],
      [
        'a name that is a megabyte long',
        'a.tar',
        () => tarArchive([{ name: 'x', type: 'L', content: Buffer.alloc(1_000_000, 'a') }]),
      ],
      ['a wrong sum', 'a.tar', () => Buffer.alloc(1_024, 'x')],
      ['a text', 'a.zip', () => text('this is not an archive')],
      ['a page in place of the archive', 'a.tgz', () => text('<html>Please sign in</html>')],
      ['a gzip of noise', 'a.tgz', () => gzipSync(Buffer.alloc(2_000, 'z'))],
      ['an empty file', 'a.zip', () => Buffer.alloc(0)],
    ])('reports %s as damaged', async (_, name, make) => {
      await expect(fetch(archive(name, make()))).rejects.toMatchObject({ reason: 'archive_damaged' });
    });
  });

  describe('from an address', () => {
    let server: Server | undefined;
    let asked: IncomingMessage[] = [];
    const serve = async (
      answer: (request: IncomingMessage, response: ServerResponse) => void,
    ): Promise<string> => {
      asked = [];
      server = createServer((request, response) => {
        asked.push(request);
        answer(request, response);
      });
      await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    afterEach(async () => {
      server?.closeAllConnections();
      await new Promise((resolve) => (server ? server.close(resolve) : resolve(null)));
      server = undefined;
    });
    const zip = zipArchive({ 'a b.md': 'a' });

    it('reads an archive, cites its files, and asks for changes only', async () => {
      const host = await serve((request, response) => {
        const isKnown = request.headers['if-none-match'] === '"1"';
        response.writeHead(isKnown ? 304 : 200, {
          etag: '"1"',
          'last-modified': 'Fri, 01 Mar 2024 10:00:00 GMT',
        });
        response.end(isKnown ? undefined : zip);
      });
      const copy = await fetch(`http://${host}/docs.zip`, { allowedHosts: [host] });
      expect(copy.files).toEqual([
        {
          path: 'a b.md',
          address: `http://${host}/docs.zip#a%20b.md`,
          modifiedAt: '2024-03-01T10:00:00.000Z',
          etag: '"1"',
        },
      ]);
      const again = await fetch(`http://${host}/docs.zip`, { allowedHosts: [host], previous: copy });
      expect(again.revision).toBe(copy.revision);
      expect(existsSync(folder.file('cache'))).toBe(false);
    });

    it('asks no host inside of the machine that the list does not allow, also after a redirect', async () => {
      const inner = await serve((_, response) => response.end(zip));
      await expect(fetch(`http://${inner}/docs.zip`)).rejects.toMatchObject({ reason: 'address_refused' });
      expect(asked).toEqual([]);
      const outer = createServer((_, response) =>
        response.writeHead(302, { location: `http://${inner}/docs.zip` }).end(),
      );
      await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve));
      const host = `127.0.0.1:${(outer.address() as AddressInfo).port}`;
      const failed = fetch(`http://${host}/docs.zip`, { allowedHosts: [host] });
      await expect(failed).rejects.toMatchObject({ reason: 'address_refused' });
      expect(asked).toEqual([]);
      outer.close();
    });

    it.each(['file:///etc/passwd', 'ftp://example.com/a.zip', 'http://user:pw@example.com/a.zip'])(
      'follows no redirect to %s',
      async (location) => {
        const host = await serve((_, response) => response.writeHead(302, { location }).end());
        const failed = fetch(`http://${host}/docs.zip`, { allowedHosts: [host] });
        await expect(failed).rejects.toMatchObject({ reason: 'address_invalid' });
      },
    );

    it('ends a chain of redirects', async () => {
      const host = await serve((_, response) => response.writeHead(302, { location: '/docs.zip' }).end());
      const failed = fetch(`http://${host}/docs.zip`, { allowedHosts: [host] });
      await expect(failed).rejects.toMatchObject({ reason: 'source_moved' });
    });

    it('keeps a secret from other hosts and out of messages', async () => {
      process.env['DOCS_TOKEN'] = 'geheim-4711';
      const seen: (string | undefined)[] = [];
      const other = createServer((request, response) => {
        seen.push(request.headers.authorization);
        response.writeHead(500).end();
      });
      await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
      const second = `127.0.0.1:${(other.address() as AddressInfo).port}`;
      const host = await serve((_, response) =>
        response.writeHead(302, { location: `http://${second}/x?token=abc` }).end(),
      );
      const failed = fetch(`http://${host}/docs.zip`, { allowedHosts: [host, second], secret: 'DOCS_TOKEN' });
      await expect(failed).rejects.toMatchObject({
        message: expect.not.stringMatching(/geheim|abc/) as string,
      });
      expect(asked[0]?.headers.authorization).toBe('Bearer geheim-4711');
      expect(seen).toEqual([undefined]);
      delete process.env['DOCS_TOKEN'];
      other.close();
    });

    it.each([
      ['ida:geheim', 'Basic aWRhOmdlaGVpbQ=='],
      ['Token geheim', 'Token geheim'],
    ])('sends the secret %j as %j', async (secret, header) => {
      process.env['DOCS_TOKEN'] = secret;
      const host = await serve((_, response) => response.end(zip));
      await fetch(`http://${host}/docs.zip`, { allowedHosts: [host], secret: 'DOCS_TOKEN' });
      delete process.env['DOCS_TOKEN'];
      expect(asked[0]?.headers.authorization).toBe(header);
    });

    it('cites an address without its query, which can be a signature', async () => {
      const host = await serve((_, response) => response.end(zip));
      const copy = await fetch(`http://${host}/docs.zip?token=geheim`, { allowedHosts: [host] });
      expect(asked[0]?.url).toBe('/docs.zip?token=geheim');
      expect(copy.files[0]?.address).toBe(`http://${host}/docs.zip#a%20b.md`);
      const small = { ...LIMITS, bytes: 10 };
      const large = fetch(`http://${host}/docs.zip?token=geheim`, { allowedHosts: [host], limits: small });
      await expect(large).rejects.toThrow(`http://${host}/docs.zip is too large`);
    });

    it.each([
      ['an answer that is cut', 200, { 'content-length': '9' }, 'source_unavailable'],
      ['a redirect to no address', 302, { location: 'http://[' }, 'source_moved'],
    ])('reports %s with advice', async (_, status, headers, reason) => {
      const host = await serve((_request, response) => {
        response.writeHead(status, headers).write('x');
        setImmediate(() => response.destroy());
      });
      const failed = fetch(`http://${host}/docs.zip`, { allowedHosts: [host] });
      await expect(failed).rejects.toMatchObject({ reason, hint: expect.any(String) as string });
    });

    const options = {
      authorization: '',
      etag: undefined,
      maxBytes: 10,
      signal: new AbortController().signal,
    };

    it('reports a host that is not found, and an answer that takes too long', async () => {
      const host = await serve(() => undefined);
      const slow = { ...options, allowedHosts: [host], totalMs: 50 };
      const waited = download(new URL(`http://${host}/a.zip`), folder.file('a'), slow);
      await expect(waited).rejects.toMatchObject({ reason: 'source_timeout' });
      const notFound = Object.assign(new Error('getaddrinfo ENOTFOUND'), { code: 'ENOTFOUND' });
      const offline = { ...options, allowedHosts: [], resolve: () => Promise.reject(notFound) };
      const lost = download(new URL('http://docs.example.com/a.zip'), folder.file('a'), offline);
      await expect(lost).rejects.toMatchObject({
        reason: 'source_unavailable',
        message: 'The host docs.example.com is not found (ENOTFOUND).',
      });
    });

    it.each([
      ['never answers', () => undefined],
      ['stops in its answer', (_: unknown, response: ServerResponse) => void response.write('x')],
    ])('ends the download from a server that %s', async (_, answer) => {
      const host = await serve(answer);
      const silent = download(new URL(`http://${host}/a.zip`), folder.file('a'), {
        ...{ ...options, allowedHosts: [host] },
        speed: { idleMs: 100, graceMs: Infinity, minBytesPerSecond: 1 },
      });
      await expect(silent).rejects.toMatchObject({
        reason: 'source_unavailable',
        message: `http://${host}/a.zip was not transferred: no byte came in time.`,
      });
    });

    it('stops the download of one document at the limit of a file', async () => {
      const host = await serve((_, response) => response.end(Buffer.alloc(100_001)));
      const failed = fetch(`http://${host}/guide.docx`, { allowedHosts: [host] });
      await expect(failed).rejects.toMatchObject({
        message: `http://${host}/guide.docx is too large: it has more than 100000 bytes.`,
        hint: 'Divide it into smaller documents.',
      });
    });

    it('reads a name with a percent sign that escapes nothing', async () => {
      const host = await serve((_, response) => response.end('text'));
      const copy = await fetch(`http://${host}/100%.docx`, { allowedHosts: [host] });
      expect(paths(copy)).toEqual(['100%.docx']);
    });

    it('stops a download that is larger than the limit', async () => {
      const host = await serve((_, response) => response.end(Buffer.alloc(2_000_000)));
      const failed = fetch(`http://${host}/docs.zip`, { allowedHosts: [host] });
      await expect(failed).rejects.toMatchObject({ reason: 'source_too_large' });
      expect(existsSync(folder.file('cache'))).toBe(false);
    });
  });
});
