import { join } from 'node:path';
import { givenPath, notAFolder } from '../../../src/config/given-path.js';

describe('givenPath', () => {
  it.each([
    ['~', '/home/ida'],
    ['~/logs/x', join('/home/ida', 'logs/x')],
    ['logs/~x', 'logs/~x'],
    ['./~x', './~x'],
    ['x~', 'x~'],
    ['C:\\logs', 'C:\\logs'],
    ['a%20b%20c', 'a%20b%20c'],
    ['$RECYCLE.BIN', '$RECYCLE.BIN'],
    ['', ''],
  ])('reads %s', (text, path) => {
    expect(givenPath(text, '/home/ida')).toEqual({ path, problem: null });
  });

  it.each([
    ['file:///srv/logs', 'Give the path: /srv/logs'],
    ['https://ida.example/logs', 'is a URL'],
    ['${workspaceFolder}/logs', '${workspaceFolder} was not replaced'],
    ['/srv/${NAME}/logs', '${NAME} was not replaced'],
    ['%USERPROFILE%\\logs', '%USERPROFILE% was not replaced'],
    ['$HOME/logs', '$HOME was not replaced'],
    ['$env:APPDATA\\logs', '$env:APPDATA was not replaced'],
    ['~ida/logs', './~ida'],
  ])('says what is wrong with %s', (text, words) => {
    expect(givenPath(text).problem).toContain(words);
  });
});

describe('notAFolder', () => {
  it('tells an archive from another file', () => {
    expect(notAFolder('logs.tar.gz').hint).toContain('Unpack');
    expect(notAFolder('logs.md').hint).toContain('folder that contains it');
  });
});
