import { asEntityId, isPathAlone, nodeId, nodeKindOf, readNodeId } from '../../../src/core/node-id.js';

describe('nodeId', () => {
  it.each([
    ['a document', nodeId('document', 'my guides/a.md'), 'my%20guides/a.md#_document'],
    ['a section', nodeId('place', 'a.md#use/it'), 'a.md#use/it'],
    ['a step of a section', nodeId('step', 'a.md#use', 2), 'a.md#use/_step-2'],
    ['a step of a document that is one section', nodeId('step', 'a.md', 1), 'a.md#_step-1'],
    ['an entity', nodeId('entity', '--port'), 'entity:--port'],
    ['an entity whose key looks like an id', nodeId('entity', 'entity:x'), 'entity:entity:x'],
  ])('makes the id of %s', (_, id, expected) => {
    expect(id).toBe(expected);
  });

  it('has at most 1,024 bytes', () => {
    expect(Buffer.byteLength(nodeId('step', `a.md#${'ä'.repeat(509)}`, 12))).toBeLessThanOrEqual(1_024);
  });
});

describe('readNodeId', () => {
  it('reads a path, plain or encoded', () => {
    expect(readNodeId('my guides/a%20b.md#use').places).toEqual([
      'my guides/a%20b.md#use',
      'my%20guides/a%2520b.md#use',
    ]);
    expect(readNodeId('my%20guides/a.md').paths).toEqual(['my%20guides/a.md', 'my guides/a.md']);
  });

  it('reads a document by id or path', () => {
    expect(readNodeId('a.md#_document').paths).toEqual(['a.md']);
  });

  it.each([
    ['a.md#use/_step-2', { place: 'a.md#use', number: 2 }],
    ['a.md#_step-10', { place: 'a.md', number: 10 }],
    ['a.md#use/_step-0', null],
    ['a.md#use', null],
  ])('reads the step of %s', (id, step) => {
    expect(readNodeId(id).step).toEqual(step);
  });

  it('reads an entity by id or name', () => {
    expect(readNodeId('entity:--port').name).toBe('--port');
    expect(readNodeId('--port').name).toBe('--port');
  });

  it('recognizes shortened ids', () => {
    expect(readNodeId(nodeId('document', 'a'.repeat(2_000))).isBound).toBe(true);
    expect(readNodeId('a.md~draft').isBound).toBe(false);
  });
});

describe('asEntityId', () => {
  it('converts a name to an id, and keeps an id', () => {
    expect([asEntityId('--port'), asEntityId('entity:--port')]).toEqual(['entity:--port', 'entity:--port']);
  });
});

describe('isPathAlone', () => {
  const long = nodeId('document', 'a'.repeat(2_000));
  it.each([
    ['a.md', 'a.md#_document', true],
    ['my guides/a.md', 'my%20guides/a.md#_document', true],
    ['a.md#_document', 'a.md#_document', false],
    ['my guides/a.md#_document', 'my%20guides/a.md#_document', false],
    [long, long, false],
  ])('decides for %s', (written, id, expected) => {
    expect(isPathAlone(written, id)).toBe(expected);
  });
});

describe('nodeKindOf', () => {
  it.each([
    ['a.md#_document', 'document', 'a.md#_document'],
    ['a.md#use', 'place', 'a.md#use'],
    ['a.txt', 'place', 'a.txt'],
    ['a.md#use/_step-2', 'step', 'a.md#use'],
    ['entity:a.md#use', 'entity', 'entity:a.md#use'],
  ])('reads %s', (id, kind, place) => {
    expect(nodeKindOf(id)).toEqual({ kind, place });
  });
});
