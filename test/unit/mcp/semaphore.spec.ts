import { Semaphore } from '../../../src/mcp/semaphore.js';

describe('Semaphore', () => {
  it('lets a few at a time, and the others in order', async () => {
    const slots = new Semaphore(2, 10);
    const entered: number[] = [];
    const leaves = await Promise.all([slots.enter(), slots.enter()]);
    const later = [3, 4].map((n) => slots.enter().then((leave) => (entered.push(n), leave)));
    await Promise.resolve();
    expect(entered).toEqual([]);
    leaves[0]?.();
    (await later[0])?.();
    await later[1];
    expect(entered).toEqual([3, 4]);
  });

  it('refuses if too many wait', async () => {
    const slots = new Semaphore(1, 1);
    const leave = await slots.enter();
    const second = slots.enter();
    expect(await slots.enter()).toBeNull();
    leave?.();
    (await second)?.();
    expect(slots.isIdle).toBe(true);
  });
});
