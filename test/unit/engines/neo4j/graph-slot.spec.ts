import { graphKey, otherSlot } from '../../../../src/engines/neo4j/graph-slot.js';

describe('graphKey', () => {
  it('differs for any two pairs of project and environment', () => {
    const names = [
      ['a', 'b/c'],
      ['a/b', 'c'],
      ['a","b', 'c'],
      ['a', 'b","c'],
      ['', 'abc'],
      ['abc', ''],
    ];
    const keys = names.map(([projectId = '', environment = '']) => graphKey({ projectId, environment }));
    expect(new Set(keys).size).toBe(names.length);
  });
});

describe('otherSlot', () => {
  it('returns the slot that is not live, or the first slot if none is live', () => {
    expect([otherSlot('a'), otherSlot('b'), otherSlot(null)]).toEqual(['b', 'a', 'a']);
  });
});
