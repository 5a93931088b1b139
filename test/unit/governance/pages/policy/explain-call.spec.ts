import { parseConfig } from '../../../../../src/config/config.js';
import { ScopeViolationError } from '../../../../../src/core/errors.js';
import { explainCall } from '../../../../../src/governance/pages/policy/explain-call.js';
import { resolveSurface } from '../../../../../src/mcp/surface/surface.js';
import { OPEN_ACCESS } from '../../../../../src/mcp/tool-access.js';
import { toolDefinitions } from '../../../../support/all-tools.js';
import { aScope, NOW } from '../../../../support/builders.js';

const surface = { ...resolveSurface(toolDefinitions(), parseConfig({}), {}), access: OPEN_ACCESS };
const ALLOWED = {
  effect: 'allow',
  rule: 'r',
  tool: 'kb.search',
  reason: null,
  approval: null,
  withheld: null,
} as const;
const ANNA = {
  name: 'anna',
  agent: null,
  permissions: ['read'],
  tools: null,
  scope: {},
  allowance: {},
  hasOwnMemory: false,
} as const;
const CALL = { tool: 'kb_search', agent: 'default', principal: 'anna', args: '{"query":"sail"}' };

function explain(call: Partial<typeof CALL> = {}) {
  const asked: unknown[] = [];
  const scopes = {
    resolve: async (scope: unknown) => {
      if (scope) throw new ScopeViolationError('not yours', { reason: 'project_mismatch', hint: '' });
      return aScope();
    },
    beforeDocuments: async () => aScope(),
  };
  const governance = {
    explain: (...args: unknown[]) => {
      asked.push(...args);
      return ALLOWED;
    },
  };
  return {
    asked,
    answer: explainCall(
      { ...CALL, ...call },
      { governance, surface, scopes },
      { now: () => NOW, principals: [ANNA], serverAgent: 'default' },
    ),
  };
}

describe('explainCall', () => {
  it('asks the policy about the tool under its canonical name, with arguments after defaults', async () => {
    const { asked, answer } = explain();
    expect(await answer).toEqual({ tool: 'kb.search', decision: ALLOWED, refused: null });
    expect(asked).toMatchObject([
      {
        caller: { agent: 'default', principal: 'anna' },
        input: { query: 'sail', top_k: 5 },
        scope: aScope(),
      },
      'kb.search',
    ]);
  });

  it.each([
    ['an unknown tool', { tool: 'kb.serach' }, { reason: 'unknown_tool' }],
    ['text that is not JSON', { args: '{' }, { reason: 'invalid_input' }],
    ['invalid arguments', { args: '{"query":5}' }, { code: 'INVALID_ARGUMENT' }],
    ['no arguments', { args: '' }, { code: 'INVALID_ARGUMENT' }],
    [
      'a scope outside that of the server',
      { args: '{"query":"x","scope":{"project_id":"other"}}' },
      { code: 'SCOPE_VIOLATION' },
    ],
  ])('refuses %s before the policy, as the server does', async (_, call, refused) => {
    const { asked, answer } = explain(call);
    expect(await answer).toMatchObject({ decision: null, refused });
    expect(asked).toEqual([]);
  });
});
