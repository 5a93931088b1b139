import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { filesIn } from '../../../../src/engines/commands/source-files.js';
import { testFolder } from '../../../support/test-folder.js';

const folder = testFolder();
afterAll(() => folder.remove());

const WANTED = 'wanted';

function write(name: string, content: string | Uint8Array): string {
  const path = folder.file(name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}

/** The files of the wanted size in a source, as text. */
async function found(source: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const bytes of filesIn(source, (size) => size === WANTED.length))
    texts.push(Buffer.from(bytes).toString());
  return texts;
}

const zipped = () => zipSync({ 'a/long.txt': strToU8('too long'), 'b/any.bin': strToU8(WANTED) });

function tarball(): string {
  write('package/dist/short', 'no');
  write('package/dist/long', 'longer than a block '.repeat(40));
  write('package/dist/file', WANTED);
  execFileSync('tar', ['czf', 'package.tgz', 'package'], { cwd: folder.path });
  return folder.file('package.tgz');
}

/** The first block of a tar archive, and an empty second one. */
function tarHeader(size: string): Buffer {
  const header = Buffer.alloc(1024);
  header.write('name', 0);
  header.write(size, 124);
  return header;
}

describe('filesIn', () => {
  it.each([
    ['a file', () => write('alone', WANTED)],
    ['a ZIP archive', () => write('archive.whl', zipped())],
    ['a tar archive', tarball],
    ['a folder, at any depth', () => dirname(write('deep/a/b/file', WANTED))],
    ['an archive in a folder', () => dirname(write('with-archive/some.jar', zipped()))],
  ])('finds the files of a wanted size in %s', async (_, source) => {
    expect(await found(source())).toEqual([WANTED]);
  });

  it('finds nothing in a file of another size', async () => {
    expect(await found(write('other', 'another size'))).toEqual([]);
  });

  it('downloads an archive, and reports the failure of a server', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/archive.zip' ? 200 : 404;
      response.end(zipped());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    expect(await found(`http://127.0.0.1:${port}/archive.zip`)).toEqual([WANTED]);
    await expect(found(`http://127.0.0.1:${port}/nothing.zip`)).rejects.toMatchObject({
      reason: 'model_download',
      message: expect.stringContaining('HTTP 404'),
      hint: expect.stringContaining('--from'),
    });
    server.close();
  });

  it('names the cause of a failed download, and that all files are needed', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    await expect(found(`http://127.0.0.1:${port}/a.zip`)).rejects.toMatchObject({
      message: expect.stringContaining('ECONNREFUSED'),
      hint: expect.stringContaining('all files'),
    });
  });

  it.each([
    ['damaged', 'PK\u0003\u0004 damaged'],
    ['not complete', gzipSync('x'.repeat(5000)).subarray(0, 20)],
  ])('skips an archive in a folder that is %s', async (name, content) => {
    write(`${name}/a.zip`, content);
    write(`${name}/b/file`, WANTED);
    expect(await found(folder.file(name))).toEqual([WANTED]);
  });

  it.each([
    ['a path without a file', () => folder.file('nowhere'), 'model_not_found'],
    ['a path below a file', () => join(write('plain', 'text'), 'below'), 'model_not_found'],
    ['an address without a host', () => 'https://', 'model_not_found'],
    ['an archive that is damaged', () => write('bad.zip', 'PK\u0003\u0004 damaged'), 'model_not_found'],
    [
      'an archive with a negative size',
      () => write('negative.tgz', gzipSync(tarHeader('-1000'))),
      'model_not_found',
    ],
  ])('refuses %s', async (_, source, reason) => {
    await expect(found(source())).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', reason });
  });
});
