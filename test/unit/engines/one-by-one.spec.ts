import { setImmediate as nextTurn } from 'node:timers/promises';
import { OneByOne } from '../../../src/engines/one-by-one.js';

describe('OneByOne', () => {
  it('runs one task after the other', async () => {
    const line = new OneByOne();
    let running = 0;
    const most = await Promise.all(
      Array.from({ length: 5 }, () =>
        line.run('a', async () => {
          running++;
          await nextTurn();
          return running--;
        }),
      ),
    );
    expect(most).toEqual([1, 1, 1, 1, 1]);
  });

  it('lets callers take turns', async () => {
    const line = new OneByOne();
    const done: string[] = [];
    const run = (name: string) => line.run(name.charAt(0), async () => void done.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(run));
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('goes on after a task that fails, and after all have ended', async () => {
    const line = new OneByOne();
    const failed = line.run('a', () => Promise.reject(new Error('no')));
    const next = line.run('a', async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
    expect(await line.run('b', async () => 'later')).toBe('later');
  });
});
