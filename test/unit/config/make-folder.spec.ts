import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../src/config/make-folder.js';

describe('makeFolder', () => {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'pith-make-folder-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('makes a folder and those above it', () => {
    makeFolder(join(folder, 'a', 'b', 'c'));
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['c']);
  });

  it('leaves a folder that exists as it is', () => {
    writeFileSync(join(folder, 'kept'), '');
    makeFolder(folder);
    expect(readdirSync(folder)).toEqual(['kept']);
  });

  it('gives all new folders the mode', () => {
    makeFolder(join(folder, 'a', 'b'), 0o700);
    expect([statSync(join(folder, 'a')).mode & 0o777, statSync(join(folder, 'a', 'b')).mode & 0o777]).toEqual(
      [0o700, 0o700],
    );
  });

  it('fails where a file stands in the way', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => makeFolder(join(folder, 'file', 'below'))).toThrow(
      expect.objectContaining({ code: 'ENOTDIR' }),
    );
  });

  // Linux only: another system has no such folder, so it is not made either.
  it('ends where the system never makes a folder', () => {
    expect(() => makeFolder('/proc/pith/a/b')).toThrow(expect.objectContaining({ syscall: 'mkdir' }));
    expect(existsSync('/proc/pith')).toBe(false);
  });
});
