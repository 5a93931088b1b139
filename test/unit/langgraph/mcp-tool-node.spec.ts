import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import {
  Command,
  END,
  isInterrupted,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { MCPToolNode, routeToolCalls, type ToolClient } from '../../../src/langgraph/mcp-tool-node.js';

/** A fake server: answers from a list of functions by tool name, and notes the calls. */
function clientOf(answers: Record<string, (params: Record<string, unknown>) => unknown>) {
  const calls: Record<string, unknown>[] = [];
  const client: ToolClient = {
    listTools: (params) =>
      Promise.resolve({
        tools: [{ name: params?.cursor ?? 'first', inputSchema: { type: 'object' } }],
        ...(params ? {} : { nextCursor: 'second' }),
      }),
    request: async ({ params }) => {
      calls.push(params);
      const answer = answers[String(params['name'])];
      if (!answer)
        throw Object.assign(new Error(`Unknown tool: ${String(params['name'])}`), { code: -32602 });
      return answer({ ...params });
    },
  };
  return { client, calls };
}

const text = (value: string, rest: object = {}) => ({ content: [{ type: 'text', text: value }], ...rest });

const calling = (...names: string[]): AIMessage =>
  new AIMessage({
    content: '',
    tool_calls: names.map((name, i) => ({ name, args: { n: i }, id: `id-${i}` })),
  });

/** A graph that makes the calls and ends. */
function graphOf(client: ToolClient, message: AIMessage) {
  const state = (): { messages: BaseMessage[] } => ({ messages: [message] });
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', state)
    .addNode('tools', new MCPToolNode({ client }))
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', routeToolCalls(), ['tools', END])
    .compile({ checkpointer: new MemorySaver() });
}

const THREAD = { configurable: { thread_id: 'thread' } };

const approvalError = text('SCOPE_VIOLATION: needs approval.', {
  isError: true,
  structuredContent: {
    error: {
      code: 'SCOPE_VIOLATION',
      message: 'needs approval.',
      details: {
        reason: 'approval_required',
        approval_id: 'a1',
        expires_at: '2030-01-01T00:00:00Z',
        rule: 'r',
        approver: 'operator',
      },
    },
  },
});

/** The result of a server that asks the caller of a call. */
const asked = {
  resultType: 'input_required',
  inputRequests: { approve: { method: 'elicitation/create', params: { message: 'Allow?' } } },
  requestState: 'state',
};

describe('MCPToolNode', () => {
  it('lists the tools of all pages for the model', async () => {
    const node = new MCPToolNode({ client: clientOf({}).client });
    expect((await node.tools()).map((tool) => tool.function.name)).toEqual(['first', 'second']);
  });

  it('names the thread as the run, and no id that the server would refuse', async () => {
    const { client, calls } = clientOf({ search: () => text('found') });
    const node = new MCPToolNode({ client });
    await node.invoke({ messages: [calling('search')] }, THREAD);
    await node.invoke({ messages: [calling('search')] }, { configurable: { thread_id: 'session:x' } });
    expect(calls.map(({ _meta }) => _meta)).toEqual([{ 'pith/run_id': 'thread' }, undefined]);
  });

  it('puts refs and warnings of the envelope into the artifact', async () => {
    const structuredContent = {
      status: 'success',
      data: { hits: 1 },
      refs: [{ type: 'section', id: 's1' }],
      warnings: ['slow'],
      tool_call_id: 'c1',
    };
    const { client } = clientOf({ search: () => text('found', { structuredContent }) });
    const { messages } = await new MCPToolNode({ client }).invoke({ messages: [calling('search')] });
    expect(messages[0]).toMatchObject({
      content: 'found',
      tool_call_id: 'id-0',
      status: 'success',
      artifact: { refs: [{ type: 'section', id: 's1' }], warnings: ['slow'], toolCallId: 'c1' },
    });
  });

  it('keeps images and audio as content blocks, after the text', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' };
    const audio = { type: 'audio', data: 'AAAB', mimeType: 'audio/wav' };
    const link = { type: 'resource_link', uri: 'x://y', name: 'y' };
    const { client } = clientOf({
      draw: () => ({ content: [image, ...text('drawn').content, link, audio] }),
    });
    const { messages } = await new MCPToolNode({ client }).invoke({ messages: [calling('draw')] });
    expect(messages[0]?.content).toEqual([{ type: 'text', text: 'drawn' }, image, audio]);
  });

  it('answers a protocol error as a failed call, and throws a lost connection', async () => {
    const { client } = clientOf({
      lost: () => {
        throw new Error('socket closed');
      },
    });
    const node = new MCPToolNode({ client });
    const { messages } = await node.invoke({ messages: [calling('nothing')] });
    expect(messages[0]).toMatchObject({ status: 'error', content: 'Unknown tool: nothing' });
    await expect(node.invoke({ messages: [calling('lost')] })).rejects.toThrow('socket closed');
  });

  it('interrupts until an operator has approved, and repeats no other call of the message', async () => {
    let isApproved = false;
    const { client, calls } = clientOf({
      write: () => (isApproved ? text('written') : approvalError),
      other: () => text('other'),
    });
    const graph = graphOf(client, calling('write', 'other'));
    const first = await graph.invoke({ messages: [] }, THREAD);
    expect(isInterrupted(first) && first.__interrupt__[0]?.value).toMatchObject({
      type: 'approval_required',
      tool: 'write',
      args: { n: 0 },
      approvalId: 'a1',
      rule: 'r',
      approver: 'operator',
    });
    const second = await graph.invoke(new Command({ resume: { decision: 'approve' } }), THREAD);
    expect(isInterrupted(second)).toBe(true);
    isApproved = true;
    const last = await graph.invoke(new Command({ resume: { decision: 'approve' } }), THREAD);
    expect(last.messages.slice(1).map(({ content }) => content)).toEqual(['written', 'other']);
    expect(calls.map(({ name }) => name)).toEqual(['write', 'other', 'write', 'write']);
  });

  it('reports a rejection to the model', async () => {
    const { client } = clientOf({ write: () => approvalError });
    const graph = graphOf(client, calling('write'));
    await graph.invoke({ messages: [] }, THREAD);
    const { messages } = await graph.invoke(new Command({ resume: { decision: 'reject' } }), THREAD);
    expect(messages.at(-1)).toMatchObject({ status: 'error', tool_call_id: 'id-0' });
    expect(messages.at(-1)?.content).toContain('rejected');
  });

  it.each([
    ['asks its caller', asked],
    ['waits for an operator', approvalError],
  ])('takes no other value for a decision if a server %s', async (_, answer) => {
    const { client, calls } = clientOf({
      write: ({ inputResponses }) => (inputResponses === undefined ? answer : text('answered')),
    });
    const graph = graphOf(client, calling('write'));
    await graph.invoke({ messages: [] }, THREAD);
    for (const resume of ['no', true, { decision: 'rejected' }, { decision: 'Reject' }, { approve: true }]) {
      const again = await graph.invoke(new Command({ resume }), THREAD);
      expect(isInterrupted(again) && again.__interrupt__[0]?.value).toMatchObject({
        message: expect.stringContaining("Resume with { decision: 'approve' }"),
      });
    }
    expect(calls.filter(({ inputResponses }) => inputResponses !== undefined)).toEqual([]);
    const { messages } = await graph.invoke(new Command({ resume: { decision: 'reject' } }), THREAD);
    expect(messages.at(-1)?.content).toMatch(/answered|rejected/);
  });

  it('declines for the caller who rejects', async () => {
    const { client, calls } = clientOf({
      write: ({ inputResponses }) => (inputResponses === undefined ? asked : text('declined')),
    });
    const graph = graphOf(client, calling('write'));
    await graph.invoke({ messages: [] }, THREAD);
    await graph.invoke(new Command({ resume: { decision: 'reject' } }), THREAD);
    expect(calls.at(-1)).toMatchObject({ inputResponses: { approve: { action: 'decline' } } });
  });

  it('answers the question of a server that asks its caller', async () => {
    const { client, calls } = clientOf({
      write: ({ inputResponses }) => (inputResponses === undefined ? asked : text('written')),
    });
    const graph = graphOf(client, calling('write'));
    const first = await graph.invoke({ messages: [] }, THREAD);
    expect(isInterrupted(first) && first.__interrupt__[0]?.value).toMatchObject({
      approver: 'caller',
      message: 'Allow?',
    });
    const { messages } = await graph.invoke(new Command({ resume: { decision: 'approve' } }), THREAD);
    expect(messages.at(-1)?.content).toBe('written');
    expect(calls.at(-1)).toMatchObject({
      requestState: 'state',
      inputResponses: { approve: { action: 'accept', content: {} } },
    });
  });

  it('interrupts only calls with a step of their own', async () => {
    const { client } = clientOf({ write: () => approvalError, other: () => text('other') });
    const { messages } = await new MCPToolNode({ client }).invoke({ messages: [calling('write', 'other')] });
    expect(messages.map(({ status }) => status)).toEqual(['error', 'success']);
  });
});
