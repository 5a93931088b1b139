import { ByteQueue } from '../../../src/sources/byte-queue.js';

function queueWith(...pieces: readonly string[]): ByteQueue {
  const queue = new ByteQueue();
  for (const piece of pieces) queue.push(Buffer.from(piece));
  return queue;
}

describe('ByteQueue', () => {
  it('gives bytes in other pieces than they came in', () => {
    const queue = queueWith('abc', '', 'de', 'fgh');
    expect(queue.length).toBe(8);
    expect([2, 0, 3, 3].map((count) => queue.take(count).toString())).toEqual(['ab', '', 'cde', 'fgh']);
    expect(queue.length).toBe(0);
  });

  it('gives a line when it is whole', () => {
    const queue = queueWith('ab', 'c');
    expect(queue.takeLine()).toBeNull();
    queue.push(Buffer.from('d\n\nx'));
    expect([queue.takeLine(), queue.takeLine(), queue.takeLine()]).toEqual(['abcd', '', null]);
    expect(queue.take(1).toString()).toBe('x');
  });
});
