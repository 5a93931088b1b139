import type { McpContext } from '@rekog/mcp-nest';
import { answerOfUser, canAskUser } from '../../../src/mcp/input-requests.js';

/** The parts of a context that are read. */
const contextOf = (parts: object): McpContext => Object.assign(Object.create(null), parts);
const modern = (capabilities: unknown) =>
  contextOf({ getSession: () => ({ era: 'modern' }), getClientCapabilities: () => capabilities });
const legacy = (capabilities: unknown) =>
  contextOf({
    getSession: () => ({ era: 'legacy' }),
    mcpServer: { server: { getClientCapabilities: () => capabilities } },
  });

describe('canAskUser', () => {
  it.each<[string, unknown, boolean]>([
    ['forms', { elicitation: { form: {} } }, true],
    ['forms and URLs', { elicitation: { form: {}, url: {} } }, true],
    ['elicitation without modes', { elicitation: {} }, true],
    ['URLs only', { elicitation: { url: {} } }, false],
    ['other capabilities', { sampling: {} }, false],
    ['nothing', undefined, false],
  ])('a client that declares %s', (_, capabilities, expected) => {
    expect([canAskUser(modern(capabilities)), canAskUser(legacy(capabilities))]).toEqual([
      expected,
      expected,
    ]);
  });
});

describe('answerOfUser', () => {
  const answerTo = (inputResponses: unknown, state: unknown) =>
    answerOfUser(
      contextOf({ getArgByIndex: () => ({ mcpReq: { inputResponses, requestState: () => state } }) }),
    );

  it('returns the action with the state of the question', () => {
    const accepted = { approval: { action: 'accept', content: { any: 1 } } };
    expect(answerTo(accepted, 'id-1')).toEqual({ action: 'accept', state: 'id-1' });
  });

  it.each<[string, unknown, unknown]>([
    ['no answer', undefined, 'id-1'],
    ['an answer without a state', { approval: { action: 'accept' } }, undefined],
    ['an answer to another question', { other: { action: 'accept' } }, 'id-1'],
    ['an unknown action', { approval: { action: 'yes' } }, 'id-1'],
    ['a state that is not text', { approval: { action: 'accept' } }, { id: 'id-1' }],
  ])('returns null for %s', (_, responses, state) => {
    expect(answerTo(responses, state)).toBeNull();
  });
});
