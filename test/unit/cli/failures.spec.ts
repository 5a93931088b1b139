import { readFileSync } from 'node:fs';
import { listenProblem, reportFailure } from '../../../src/cli/failures.js';

describe('listenProblem', () => {
  it.each([
    ['EADDRINUSE', '127.0.0.1:80 is in use. Choose another with --port or --host.'],
    ['EACCES', 'Permission denied for port 80. Choose another with --port or --host.'],
    ['EADDRNOTAVAIL', '127.0.0.1 is not an address of this machine. Choose another with --port or --host.'],
    ['EMFILE', null],
  ])('describes %s', (code, problem) => {
    const error = Object.assign(new Error('listen'), { code });
    expect(listenProblem(error, { host: '127.0.0.1', port: 80 })).toBe(problem);
  });

  it('returns null for an error without a code', () => {
    expect(listenProblem(new Error('other'), { host: '127.0.0.1', port: 80 })).toBeNull();
  });
});

describe('a file that a command cannot use', () => {
  const thrownBy = (use: () => unknown): unknown => {
    try {
      return use();
    } catch (error) {
      return error;
    }
  };

  it.each([
    [
      'a path without a file',
      thrownBy(() => readFileSync('/nowhere/a')),
      '/nowhere/a does not exist. Correct the path.',
    ],
    ['a folder', thrownBy(() => readFileSync('/')), 'A file is a folder. Name a file.'],
    [
      'a full disk',
      Object.assign(new Error('write'), { code: 'ENOSPC' }),
      'the disk is full or broken. Free disk space',
    ],
    [
      'a full disk below SQLite',
      new Error('database or disk is full'),
      'the disk is full or broken. Free disk space',
    ],
  ])('is named with the next step: %s', (_, error, told) => {
    const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
    expect(reportFailure(error)).toBe(1);
    const text = write.mock.calls.join('').replace(/\s+/g, ' ');
    write.mockRestore();
    expect(text).toContain(told);
    expect(text).not.toContain('unexpected');
  });
});
