import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { type CheckedSchema, narrowings } from '../../../../src/work/schemas/checking/schema-checker.js';

const person = {
  type: 'object',
  properties: { name: { type: 'string', minLength: 2 }, age: { type: 'integer' } },
  required: ['name'],
};
const withName = (name: object) => ({ ...person, properties: { ...person.properties, name } });

describe('narrowings', () => {
  it.each<[string, CheckedSchema, CheckedSchema]>([
    [
      'the same schema, written in another order',
      person,
      { required: person.required, properties: person.properties, type: 'object' },
    ],
    ['other descriptions', person, { ...person, title: 'A person', description: 'Of any age' }],
    ['a field that is no longer required', person, { ...person, required: [] }],
    ['a lower minimum', person, withName({ type: 'string', minLength: 1 })],
    ['no minimum', person, withName({ type: 'string' })],
    ['a further type', person, withName({ type: ['string', 'null'], minLength: 2 })],
    ['numbers where integers were', { type: 'integer' }, { type: 'number' }],
    ['a further value', { enum: ['a', 'b'] }, { enum: ['b', 'c', 'a'] }],
    ['a further alternative', { anyOf: [{ type: 'null' }] }, { anyOf: [{ const: 1 }, { type: 'null' }] }],
    [
      'a field that nothing had',
      { ...person, additionalProperties: false },
      {
        ...person,
        properties: { ...person.properties, email: { type: 'string' } },
        additionalProperties: false,
      },
    ],
    ['open for further fields', { ...person, additionalProperties: false }, person],
    ['wider items', { items: { type: 'integer' } }, { items: { type: 'number' } }],
    ['everything', person, true],
    [
      'the same reference',
      { $ref: '#/$defs/a', $defs: { a: person } },
      { $ref: '#/$defs/a', title: 'A', $defs: { a: person } },
    ],
  ])('is empty for %s', (_, before, after) => {
    expect(narrowings(before, after)).toEqual([]);
  });

  it.each<[string, CheckedSchema, CheckedSchema, string]>([
    ['a further required field', person, { ...person, required: ['name', 'age'] }, '#/required'],
    [
      'a field that open objects might have',
      person,
      { ...person, properties: { ...person.properties, email: { type: 'string' } } },
      '#/properties/email/type',
    ],
    ['a type that is gone', { type: ['string', 'null'] }, { type: 'string' }, '#/type'],
    ['integers where numbers were', { type: 'number' }, { type: 'integer' }, '#/type'],
    ['a higher minimum', person, withName({ type: 'string', minLength: 3 }), '#/properties/name/minLength'],
    ['a value that is gone', { enum: ['a', 'b'] }, { enum: ['a'] }, '#/enum'],
    ['closed objects', person, { ...person, additionalProperties: false }, '#/additionalProperties'],
    ['a changed pattern', { pattern: '^a' }, { pattern: '^b' }, '#/pattern'],
    [
      'a changed definition',
      { $ref: '#/$defs/a', $defs: { a: true } },
      { $ref: '#/$defs/a', $defs: { a: false } },
      '#/$defs',
    ],
    [
      'a changed field that "not" refers to',
      { properties: { a: { type: 'string' } }, not: { $ref: '#/properties/a' } },
      { properties: { a: true }, not: { $ref: '#/properties/a' } },
      '#',
    ],
    [
      'minContains that is gone',
      { contains: { const: 1 }, minContains: 0 },
      { contains: { const: 1 } },
      '#/minContains',
    ],
    [
      'patterns that no longer allow a field',
      { patternProperties: { '^x': true }, additionalProperties: false },
      { patternProperties: { '^x': true }, properties: { x: { type: 'null' } }, additionalProperties: false },
      '#/properties',
    ],
    ['nothing', person, false, '#'],
  ])('names the place of %s', (_, before, after, place) => {
    expect(narrowings(before, after)).toContain(place);
  });
});

const value = fc.jsonValue({ maxDepth: 2 });
const plainKeywords = {
  type: fc.constantFrom(
    'object',
    'array',
    'string',
    'number',
    'integer',
    'null',
    ['string', 'null'],
    ['object', 'number'],
  ),
  enum: fc.array(fc.constantFrom('a', 'b', 1, null), { minLength: 1, maxLength: 3 }),
  minimum: fc.integer({ min: -2, max: 2 }),
  maxLength: fc.integer({ min: 0, max: 3 }),
  minItems: fc.integer({ min: 0, max: 2 }),
  maxProperties: fc.integer({ min: 0, max: 3 }),
  pattern: fc.constantFrom('^a', 'b$'),
  required: fc.uniqueArray(fc.constantFrom('a', 'b')),
  uniqueItems: fc.boolean(),
  title: fc.string(),
};
const { schema } = fc.letrec<{ schema: CheckedSchema }>((tie) => ({
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.boolean(),
    fc.record(plainKeywords, { requiredKeys: [] }),
    fc.record(
      {
        ...plainKeywords,
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema'), { maxKeys: 2 }),
        patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), tie('schema'), { maxKeys: 1 }),
        additionalProperties: tie('schema'),
        items: tie('schema'),
        contains: tie('schema'),
        minContains: fc.integer({ min: 0, max: 1 }),
        not: tie('schema'),
        anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  ),
}));
/** Values that the schemas above are about. */
const likely = fc.oneof(
  fc.constantFrom('a', 'ab', '', null, 1, 0, -1, 1.5),
  fc.array(fc.constantFrom('a', 1, null), { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('a', 'b', 'c', 'ab'), fc.constantFrom('a', 1, null, {}), { maxKeys: 3 }),
  value,
);

/** Schemas without an $id, so one instance can compile them all. */
const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false, validateSchema: false });

it('accepts no schema that refuses a value which fitted before, for any schemas and values', () => {
  // Of two independent schemas, few are compatible; of a schema and a changed copy, many.
  const keyword = fc.constantFrom('type', 'enum', 'required', 'properties', 'items', 'not', 'maxLength');
  const pair = fc.tuple(schema, schema, keyword).map(([before, other, changed]) => {
    if (typeof before === 'boolean') return [before, other] as const;
    const rest = Object.entries(before).filter(([name]) => name !== changed);
    const added =
      typeof other === 'boolean' || other[changed] === undefined ? [] : [[changed, other[changed]]];
    return [before, Object.fromEntries([...rest, ...added])] as const;
  });
  let compatible = 0;
  fc.assert(
    fc.property(pair, fc.array(likely, { minLength: 10, maxLength: 10 }), ([before, after], values) => {
      if (narrowings(before, after).length > 0) return;
      compatible++;
      const [fitted, fits] = [ajv.compile(before), ajv.compile(after)];
      expect(values.filter((item) => fitted(item) && !fits(item))).toEqual([]);
    }),
    { numRuns: 300, seed: 20_260_101 },
  );
  expect(compatible).toBeGreaterThan(60);
});
