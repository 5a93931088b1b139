import { Refreshed } from '../../../../../src/governance/access/oauth/authorization-server.js';

/** A value that another server counts up, with a clock. */
function counted() {
  const state = { now: 0, reads: 0, isDown: false };
  const read = (): Promise<number> => {
    state.reads++;
    return state.isDown ? Promise.reject(new Error('down')) : Promise.resolve(state.reads);
  };
  return { state, value: new Refreshed(read, () => state.now) };
}

const MINUTE = 60_000;
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a value of another server', () => {
  it('is read once for all who wait', async () => {
    const { value } = counted();
    expect(await Promise.all([value.get(), value.get(), value.get()])).toEqual([1, 1, 1]);
  });

  it('is read again after ten minutes, while the last one is used', async () => {
    const { state, value } = counted();
    await value.get();
    state.now = 9 * MINUTE;
    expect([await value.get(), state.reads]).toEqual([1, 1]);
    state.now = 11 * MINUTE;
    expect(await value.get()).toBe(1);
    await settled();
    expect(await value.get()).toBe(2);
  });

  it('is used for an hour if the server is down, and no longer', async () => {
    const { state, value } = counted();
    await value.get();
    state.isDown = true;
    state.now = 59 * MINUTE;
    expect(await value.get()).toBe(1);
    await settled();
    state.now = 61 * MINUTE;
    await expect(value.get()).rejects.toThrow('down');
  });

  it('is not read again within two seconds of a failure', async () => {
    const { state, value } = counted();
    state.isDown = true;
    for (let i = 0; i < 5; i++) await expect(value.get()).rejects.toThrow('down');
    expect(state.reads).toBe(1);
    state.isDown = false;
    state.now = 2_000;
    expect(await value.get()).toBe(2);
  });

  it('is renewed at most six times a minute', async () => {
    const { state, value } = counted();
    const renewed: (number | null)[] = [];
    for (let i = 0; i < 8; i++) renewed.push(await value.renew());
    expect(renewed).toEqual([1, 2, 3, 4, 5, 6, null, null]);
    state.now = MINUTE;
    expect(await value.renew()).toBe(7);
  });
});
