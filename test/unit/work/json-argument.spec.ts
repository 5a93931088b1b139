import { canonicalArgument, MAX_JSON_DEPTH } from '../../../src/work/json-argument.js';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

describe('canonicalArgument', () => {
  it.each([
    ['{ "b": 1, "a": [true, null] }', '{"a":[true,null],"b":1}'],
    ['"text"', '"text"'],
    ['{"__proto__": 1}', '{"__proto__":1}'],
    [nested(MAX_JSON_DEPTH), nested(MAX_JSON_DEPTH)],
  ])('makes %s canonical', (text, canonical) => {
    expect(canonicalArgument(text, 'data', 1_000)).toBe(canonical);
  });

  it.each([
    ['{', 'json_invalid'],
    ['1e999', 'json_invalid'],
    ['', 'json_invalid'],
    [nested(MAX_JSON_DEPTH + 1), 'json_too_deep'],
    [nested(20_000), 'json_too_deep'],
    [JSON.stringify('ä'.repeat(500)), 'json_too_large'],
  ])('refuses %.20s as %s', (text, reason) => {
    const argument = () => canonicalArgument(text, 'data', 1_000);
    expect(argument).toThrow(expect.objectContaining({ reason, details: { field: 'data' } }));
  });
});
