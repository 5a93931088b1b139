import { graphKey, otherSlot } from '../../../../src/engines/neo4j/graph-slot.js';

describe('graphKey', () => {
  it('tells project and environment apart, whatever they are called', () => {
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
  it('is the one that is not live, and the first where none is', () => {
    expect([otherSlot('a'), otherSlot('b'), otherSlot(null)]).toEqual(['b', 'a', 'a']);
  });
});
