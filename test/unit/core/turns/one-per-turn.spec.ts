import { setImmediate as nextTurn } from 'node:timers/promises';
import { holdSteps, onePerTurn, stepsAreHeld, stepsWait } from '../../../../src/core/turns/clock.js';

describe('onePerTurn', () => {
  it('runs one step in each turn of the event loop, in their order', async () => {
    const done: string[] = [];
    for (const name of ['a', 'b', 'c']) onePerTurn(() => done.push(name));
    expect([done, stepsWait()]).toEqual([[], true]);
    await nextTurn();
    expect(done).toEqual(['a']);
    await nextTurn();
    expect(done).toEqual(['a', 'b']);
    await nextTurn();
    expect([done, stepsWait()]).toEqual([['a', 'b', 'c'], false]);
  });

  it('runs a step that a step adds, and the promises of a step before the next step', async () => {
    const done: string[] = [];
    onePerTurn(() => {
      onePerTurn(() => done.push('b'));
      void Promise.resolve().then(() => done.push('after a'));
    });
    for (let i = 0; i < 2; i++) await nextTurn();
    expect(done).toEqual(['after a', 'b']);
  });

  it('runs no step while steps are held, and then each in a turn of its own again', async () => {
    const done: string[] = [];
    onePerTurn(() => done.push('a'));
    const release = holdSteps();
    onePerTurn(() => done.push('b'));
    for (let i = 0; i < 3; i++) await nextTurn();
    expect([done, stepsWait()]).toEqual([[], true]);
    release();
    await nextTurn();
    expect(done).toEqual(['a']);
    await nextTurn();
    expect([done, stepsWait()]).toEqual([['a', 'b'], false]);
  });

  it('holds steps until the last of several holders has released them', () => {
    const [first, second] = [holdSteps(), holdSteps()];
    first();
    expect(stepsAreHeld()).toBe(true);
    second();
    expect(stepsAreHeld()).toBe(false);
  });
});
