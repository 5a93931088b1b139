import { type Phase, withEnvelope } from '../../../src/legacy/legacy-envelope.js';

/** A payload whose JSON has this number of characters. */
const sized = (chars: number) => ({ rows: 'x'.repeat(chars - '{"rows":""}'.length) });
const reasonOf = (chars: number, phase: Phase | null) =>
  withEnvelope({ sessionId: 's', payload: sized(chars), phase, reason: null }).limit_reason;

describe('withEnvelope', () => {
  it.each<[Phase, number]>([
    ['seeds', 2_100],
    ['snippets', 4_200],
    ['neighbors', 4_900],
  ])('flags %s over %i tokens of four characters each', (phase, tokens) => {
    expect(reasonOf(4 * tokens, phase)).toBe('none');
    expect(reasonOf(4 * tokens + 1, phase)).toBe('token_cap');
  });

  it('flags a search with eleven rows of 770 bytes', () => {
    expect(reasonOf(10 * 770, 'seeds')).toBe('none');
    expect(reasonOf(11 * 770, 'seeds')).toBe('token_cap');
  });

  it('flags nothing if no token share applies', () => {
    expect(reasonOf(100_000, null)).toBe('none');
  });

  it('reports byte_cap only if the reply was reduced', () => {
    const payload = sized(20_000);
    expect(withEnvelope({ sessionId: 's', payload, phase: 'seeds', reason: 'byte_cap' })).toMatchObject({
      partial: true,
      limit_reason: 'byte_cap',
    });
  });

  it('puts its keys after those of the payload', () => {
    const ended = withEnvelope({ sessionId: 's', payload: { b: 1, a: 2 }, phase: null, reason: null });
    expect(JSON.stringify(ended)).toBe(
      '{"b":1,"a":2,"session_id":"s","partial":false,"limit_reason":"none",' +
        '"meta":{"usage":{"tokens_estimate":14,"bytes_returned":13,"duplicates_suppressed":0}}}',
    );
  });
});
