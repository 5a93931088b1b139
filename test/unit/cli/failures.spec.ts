import { listenProblem } from '../../../src/cli/failures.js';

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
