import { FailedTokens } from '../../../../src/mcp/http/failed-tokens.js';

function atTime(now: number) {
  const clock = { now };
  const tokens = new FailedTokens(() => clock.now);
  const fail = (address: string, times: number): void => {
    for (let i = 0; i < times; i++) tokens.note(address);
  };
  return { clock, tokens, fail };
}

describe('FailedTokens', () => {
  it('allows ten wrong tokens of an address, and then makes it wait', () => {
    const { tokens, fail } = atTime(0);
    fail('10.0.0.1', 9);
    expect(tokens.waitMs('10.0.0.1')).toBe(0);
    fail('10.0.0.1', 1);
    expect(tokens.waitMs('10.0.0.1')).toBe(6_000);
  });

  it('allows one more wrong token every six seconds', () => {
    const { clock, tokens, fail } = atTime(0);
    fail('10.0.0.1', 30);
    clock.now = 6_000;
    expect(tokens.waitMs('10.0.0.1')).toBe(0);
    fail('10.0.0.1', 1);
    expect(tokens.waitMs('10.0.0.1')).toBe(6_000);
  });

  it('does not affect other addresses', () => {
    const { tokens, fail } = atTime(0);
    fail('10.0.0.1', 10);
    expect(tokens.waitMs('10.0.0.2')).toBe(0);
  });

  it('treats an IPv6 network as one address', () => {
    const { tokens, fail } = atTime(0);
    fail('2001:db8:1:2::1', 5);
    fail('2001:db8:1:2::ffff', 5);
    expect(tokens.waitMs('2001:db8:1:2::abcd')).toBe(6_000);
  });

  it.each([
    ['2001:db8::a:b:c:d', '2001:db8::1:2:3:4'],
    ['2001:db8::1', '2001:db8:0:0:9::1'],
    ['::1', '::2'],
  ])('treats shortened addresses of one network as one: %s and %s', (one, other) => {
    const { tokens, fail } = atTime(0);
    fail(one, 10);
    expect(tokens.waitMs(other)).toBe(6_000);
    expect(tokens.waitMs('2001:db8:1::1')).toBe(0);
  });

  it('remembers a thousand addresses, and drops the least recent one', () => {
    const { tokens, fail } = atTime(0);
    fail('first', 10);
    for (let i = 0; i < 999; i++) fail(`address ${i}`, 1);
    expect(tokens.waitMs('first')).toBe(6_000);
    fail('one more', 1);
    expect(tokens.waitMs('first')).toBe(0);
  });
});
