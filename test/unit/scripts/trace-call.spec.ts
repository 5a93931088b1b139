import { calledMore } from '../../../scripts/trace-call.mjs';

const aFunction = (functionName: string, startOffset: number, count: number) => ({
  functionName,
  ranges: [{ startOffset, endOffset: startOffset + 10, count }],
});

const aScript = (path: string, ...functions: readonly ReturnType<typeof aFunction>[]) => ({
  url: `file:///dist/${path}`,
  functions,
});

describe('calledMore', () => {
  it('lists the functions that one run calls more often, over all threads', () => {
    const without = [aScript('kb/a.js', aFunction('rank', 0, 2), aFunction('start', 20, 1))];
    const withCall = [
      aScript('kb/a.js', aFunction('rank', 0, 1), aFunction('start', 20, 1)),
      aScript('kb/a.js', aFunction('rank', 0, 2)),
      aScript('core/b.js', aFunction('note', 0, 1), aFunction('note', 30, 0), aFunction('get note', 60, 1)),
    ];
    expect(calledMore(withCall, without, 'file:///dist/')).toEqual([
      { path: 'core/b.ts', name: 'note' },
      { path: 'kb/a.ts', name: 'rank' },
    ]);
  });

  it('leaves out scripts outside the build', () => {
    expect(calledMore([aScript('kb/a.js', aFunction('rank', 0, 1))], [], 'file:///other/')).toEqual([]);
  });
});
