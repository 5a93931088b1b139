// An agent that answers from your documents: a chat model and the tools of `pith stdio`, in a LangGraph graph.
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { MCPToolNode, routeToolCalls } from 'pith/langgraph';

/** Starts `pith stdio` and connects to it. @param server  command, arguments and environment */
export async function connect(server = { command: 'npx', args: ['pith', 'stdio'] }) {
  const client = new Client(
    { name: 'langgraph', version: '1' },
    // With protocol 2026-07-28 and `elicitation`, the graph can answer when a rule asks the caller for an approval.
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(new StdioClientTransport(server));
  return client;
}

/** @param model  any LangChain chat model that can call tools */
export async function buildGraph(model, client) {
  const tools = new MCPToolNode({ client });
  const agent = model.bindTools(await tools.tools());
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', async ({ messages }) => ({ messages: [await agent.invoke(messages)] }))
    .addNode('tools', tools)
    .addEdge(START, 'agent')
    .addConditionalEdges('agent', routeToolCalls('tools'), ['tools', END])
    .addEdge('tools', 'agent')
    .compile({ checkpointer: new MemorySaver() });
}
