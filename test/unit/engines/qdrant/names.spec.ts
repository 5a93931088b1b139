import { aliasOf, collectionOf, pointId } from '../../../../src/engines/qdrant/names.js';

describe('aliasOf', () => {
  it('names a project and its environment', () => {
    expect(aliasOf('handbook', 'prod')).toBe('pith_handbook_prod');
    expect(collectionOf(aliasOf('handbook', 'prod'), 'a')).toBe('pith_handbook_prod_a');
  });

  it.each([
    ['a', 'b_c', 'a_b', 'c'],
    ['a', '', '', 'a'],
    ['A', 'x', 'a', 'x'],
    ['a/b', 'x', 'a.2fb', 'x'],
    ['ä', 'x', '.c3.a4', 'x'],
    ['x'.repeat(300), 'x', 'x'.repeat(301), 'x'],
  ])(
    'gives two indexes different names: %j %j and %j %j',
    (project, environment, other, otherEnvironment) => {
      expect(aliasOf(project, environment)).not.toBe(aliasOf(other, otherEnvironment));
    },
  );

  it.each([['../..'], ['a:b*c?'], ['\0'], ['\u{1F600}'.repeat(100)], ['x'.repeat(10_000)]])(
    'is a name that Qdrant accepts: %j',
    (name) => {
      expect(collectionOf(aliasOf(name, name), 'b')).toMatch(/^[a-z0-9._-]{1,255}$/);
    },
  );
});

describe('pointId', () => {
  it('is a UUID, the same for the same key', () => {
    expect(pointId('section', 'a.md#x')).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(pointId('section', 'a.md#x')).toBe(pointId('section', 'a.md#x'));
    expect(pointId('section', 'a.md')).not.toBe(pointId('document', 'a.md'));
  });
});
