import { schemaCompiler } from '../../../../src/governance/providers/json-schema-check.js';

const SCHEMA = {
  type: 'object',
  required: ['path'],
  additionalProperties: false,
  properties: {
    path: { type: 'string' },
    size: { type: 'object', required: ['width'], properties: { width: { type: 'number' } } },
  },
};

/** Schemas s0, s1 and so on, each of which applies the next one twice. */
const doubling = (count: number): object =>
  Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const next = i + 1 === count ? {} : { $ref: `#/$defs/s${i + 1}` };
      return [`s${i}`, { allOf: [next, next] }];
    }),
  );

describe('schemaCompiler', () => {
  it.each([
    [{ path: '/a' }, null],
    [{}, 'the field path is missing'],
    [{ path: '/a', size: {} }, 'size: the field width is missing'],
    [{ path: 7 }, 'path: found number, expected string'],
    [{ path: '/a', pth: '/a' }, 'pth: this field is unknown'],
  ])('of %j says %s', async (value, problem) => {
    const check = (await schemaCompiler())(SCHEMA);
    expect(check(value)).toBe(problem);
  });

  it.each<[string, object]>([
    ['a pattern', { properties: { path: { pattern: '^(\\w+\\s?)*$' } } }],
    ['references', { $defs: doubling(40), $ref: '#/$defs/s0' }],
  ])(
    'ends a check that takes exponential time, because of %s',
    async (_, schema) => {
      const check = (await schemaCompiler())({ type: 'object', ...schema });
      expect(check({ path: `${'a'.repeat(40)}!` })).toMatch(/^the schema can't be applied: .*timed out/);
    },
    5_000,
  );
});
