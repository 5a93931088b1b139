import { hashedArgs } from '../../../../src/governance/ledger/ledger.stage.js';

const params = { uri: 'docs:///a.md', _meta: { progressToken: 5 } };

describe('hashedArgs', () => {
  it.each(['resources/read', 'prompts/get'])('leaves _meta out for %s', (method) => {
    expect(hashedArgs(method, params)).toEqual({ uri: 'docs:///a.md' });
  });

  it('returns all arguments of a tool', () => {
    expect(hashedArgs('tools/call', params)).toBe(params);
  });

  it('returns nothing if there are no parameters', () => {
    expect(hashedArgs('prompts/get', undefined)).toEqual({});
  });
});
