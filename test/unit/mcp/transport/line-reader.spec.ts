import fc from 'fast-check';
import { LineReader } from '../../../../src/mcp/transport/stdio-wire.js';

const MAX = 8;

const read = (chunks: readonly string[]): (string | null)[] => {
  const reader = new LineReader(MAX);
  return chunks.flatMap((chunk) => reader.push(Buffer.from(chunk))).map((line) => line?.toString() ?? null);
};

describe('LineReader', () => {
  it('returns the same lines for any split into chunks', () => {
    const chunk = fc.string({ unit: fc.constantFrom('a', '\n', 'é'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(chunk), (chunks) => {
        const whole = chunks.join('').split('\n').slice(0, -1);
        expect(read(chunks)).toEqual(whole.map((line) => (Buffer.byteLength(line) > MAX ? null : line)));
      }),
    );
  });

  it('returns a line of the maximum length, and null for one that is a byte longer', () => {
    expect(read([`${'x'.repeat(MAX)}\n${'x'.repeat(MAX + 1)}\nok\n`])).toEqual(['x'.repeat(MAX), null, 'ok']);
  });
});
