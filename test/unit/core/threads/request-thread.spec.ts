import { setImmediate as nextTurn } from 'node:timers/promises';
import { OneByOne } from '../../../../src/core/threads/request-thread.js';

/** A queue whose tasks take a time that is given. */
function timed() {
  let now = 0;
  const done: string[] = [];
  const line = new OneByOne(() => now);
  const run = (ms: number, ...names: readonly string[]) =>
    names.map((name) =>
      line.run(name.charAt(0), async () => {
        await nextTurn();
        now += ms;
        done.push(name);
      }),
    );
  return { run, done };
}

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
    const line = new OneByOne(() => 0);
    const done: string[] = [];
    const run = (name: string) => line.run(name.charAt(0), async () => void done.push(name));
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map(run));
    expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2']);
  });

  it('calls the caller next whose tasks took least time', async () => {
    const { run, done } = timed();
    await Promise.all([...run(2_000, 'a1', 'a2', 'b1', 'b2'), ...run(10, 'c1', 'c2', 'c3')]);
    expect(done).toEqual(['a1', 'b1', 'c1', 'c2', 'c3', 'a2', 'b2']);
  });

  it('makes a newcomer wait for the running task only, but lets nobody save up turns', async () => {
    const { run, done } = timed();
    const [first, second, third, ...rest] = run(2_000, 'a1', 'b1', 'a2', 'b2', 'a3', 'b3', 'a4', 'b4');
    await third;
    await Promise.all([first, second, ...rest, ...run(1_999, 'c1', 'c2', 'c3')]);
    expect(done).toEqual(['a1', 'b1', 'a2', 'b2', 'c1', 'c2', 'a3', 'b3', 'c3', 'a4', 'b4']);
  });

  it('goes on after a task that fails, and after all have ended', async () => {
    const line = new OneByOne();
    const failed = line.run('a', () => Promise.reject(new Error('no')));
    const next = line.run('a', async () => 'next');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('next');
    expect(await line.run('b', async () => 'later')).toBe('later');
  });

  it('forgets a task that waits as soon as its call is cancelled', async () => {
    const line = new OneByOne();
    const call = new AbortController();
    const done: string[] = [];
    let end = (): void => undefined;
    const first = line.run('a', () => new Promise<void>((resolve) => (end = resolve)));
    const forgotten = line.run('b', async () => void done.push('b'), call.signal);
    const last = line.run('c', async () => void done.push('c'));
    call.abort(new Error('cancelled'));
    await expect(forgotten).rejects.toThrow('cancelled');
    await expect(line.run('b', async () => 'b', call.signal)).rejects.toThrow('cancelled');
    end();
    await Promise.all([first, last]);
    expect(done).toEqual(['c']);
  });
});
