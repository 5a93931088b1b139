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
});
