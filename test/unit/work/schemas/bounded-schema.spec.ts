import { boundedSchema } from '../../../../src/work/schemas/schemas.service.js';

const nested = (depth: number): string => `${'{"not":'.repeat(depth)}true${'}'.repeat(depth)}`;

describe('boundedSchema', () => {
  it.each(['true', 'false', '{}', '{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}'])(
    'accepts %s',
    (text) => {
      expect(boundedSchema(text)).toEqual(JSON.parse(text));
    },
  );

  it.each([
    ['no JSON', '{"type":', 'json_invalid'],
    ['a list', '[]', 'schema_invalid'],
    ['a text', '"string"', 'schema_invalid'],
    ['null', 'null', 'schema_invalid'],
    ['40 schemas in each other', nested(40), 'json_too_deep'],
    ['5,000 schemas in each other', nested(5_000), 'json_too_deep'],
    [
      '6,000 alternatives',
      JSON.stringify({ anyOf: Array.from({ length: 6_000 }, () => ({})) }),
      'schema_too_large',
    ],
    ['a reference to a page', '{"items":{"$ref":"https://example.com/a.json"}}', 'schema_refers_outside'],
    ['a dynamic reference to a file', '{"$dynamicRef":"other.json#a"}', 'schema_refers_outside'],
  ])('refuses %s', (_, text, reason) => {
    expect(() => boundedSchema(text)).toThrow(
      expect.objectContaining({ reason, hint: expect.stringMatching(/.{10}/) }),
    );
  });
});
