import { Slots } from '../../../src/mcp/slots.js';

describe('Slots', () => {
  it('lets a few at a time, and the others in order', async () => {
    const slots = new Slots(2, 10);
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
    const slots = new Slots(1, 1);
    const leave = await slots.enter();
    const second = slots.enter();
    expect(await slots.enter()).toBeNull();
    leave?.();
    (await second)?.();
    expect(slots.isIdle).toBe(true);
  });
});
