import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { HOSTS } from '../../../../src/cli/hosts/hosts.js';
import { writeHostFile } from '../../../../src/cli/hosts/merge-host-file.js';
import { type TestFolder, testFolder } from '../../../support/test-folder.js';

const [cursor] = HOSTS.filter(({ id }) => id === 'cursor');
const SERVER = { command: 'node', args: ['pith.js'] };
const now = new Date('2026-01-02T03:04:05.678Z');

let home: TestFolder;
const file = (): string => home.file('.cursor/mcp.json');
const write = () => {
  if (!cursor) throw new Error('no cursor');
  return writeHostFile(cursor, SERVER, {
    place: { platform: 'linux', home: home.path, environment: {} },
    now,
  });
};

beforeEach(() => {
  home = testFolder();
});
afterEach(() => home.remove());

describe('writeHostFile', () => {
  it('creates the file if the host has none', () => {
    mkdirSync(home.file('.cursor'));
    expect(write()).toEqual({ file: file(), backup: null, isChanged: true, isUpdate: false });
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ mcpServers: { pith: SERVER } });
    expect(statSync(file()).mode & 0o777).toBe(0o600);
  });

  it('stores a backup next to the file, keeps its mode, and leaves no other file', () => {
    mkdirSync(home.file('.cursor'));
    writeFileSync(file(), '{"mcpServers":{"a":{"command":"b"}}}');
    chmodSync(file(), 0o640);
    const { backup } = write();
    expect(backup).toBe(`${file()}.before-pith-2026-01-02T03-04-05-678Z`);
    expect(readFileSync(backup ?? '', 'utf8')).toBe('{"mcpServers":{"a":{"command":"b"}}}');
    expect(statSync(file()).mode & 0o777).toBe(0o640);
    expect(readdirSync(home.file('.cursor'))).toHaveLength(2);
  });

  it('writes nothing the second time', () => {
    mkdirSync(home.file('.cursor'));
    write();
    expect(write()).toEqual({ file: file(), backup: null, isChanged: false, isUpdate: true });
    expect(readdirSync(home.file('.cursor'))).toEqual(['mcp.json']);
  });

  it('writes to the target of a symlink, and keeps the link', () => {
    mkdirSync(home.file('.cursor'));
    writeFileSync(home.file('dotfile.json'), '{}');
    symlinkSync(home.file('dotfile.json'), file());
    write();
    expect(lstatSync(file()).isSymbolicLink()).toBe(true);
    expect(readFileSync(home.file('dotfile.json'), 'utf8')).toContain('"pith"');
  });

  it('fails if the host is not installed, and creates no folder', () => {
    expect(write).toThrow(expect.objectContaining({ reason: 'host_missing' }));
    expect(readdirSync(home.path)).toEqual([]);
  });

  it('does not change a file that it can not parse', () => {
    mkdirSync(home.file('.cursor'));
    writeFileSync(file(), '{"mcpServers":');
    expect(write).toThrow(expect.objectContaining({ reason: 'host_file_unreadable' }));
    expect(readdirSync(join(home.path, '.cursor'))).toEqual(['mcp.json']);
    expect(readFileSync(file(), 'utf8')).toBe('{"mcpServers":');
  });
});
