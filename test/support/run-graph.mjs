// Runs the example graph of the docs with the real LangGraph and a real server. The model is not real: it makes the tool
// calls that the scenario lists, one message after another, and then says "done".
// Usage: node run-graph.mjs SCENARIO.json, an object with server, threadId, messages ([[{name, args}]]) and resumes
// ([{decision, approve?}]); `approve` is a command that gets the id of the approval, and runs before the graph is resumed.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { AIMessage } from '@langchain/core/messages';
import { RunnableLambda } from '@langchain/core/runnables';
import { Command, isInterrupted } from '@langchain/langgraph';
import { buildGraph, connect } from '../../docs/examples/langgraph.mjs';

const { server, threadId, messages, resumes = [] } = JSON.parse(readFileSync(process.argv[2], 'utf8'));

const bound = [];
const left = [...messages];
const model = {
  bindTools(tools) {
    bound.push(...tools.map((tool) => tool.function.name));
    return RunnableLambda.from(() => {
      const calls = left.shift() ?? [];
      const tool_calls = calls.map((call, i) => ({
        type: 'tool_call',
        id: `call-${left.length}-${i}`,
        ...call,
      }));
      return new AIMessage({ content: calls.length === 0 ? 'done' : '', tool_calls });
    });
  },
};

const client = await connect(server);
const graph = await buildGraph(model, client);
const config = { configurable: { thread_id: threadId } };
const interrupts = [];
let state = await graph.invoke({ messages: [{ role: 'user', content: 'A question.' }] }, config);
for (const { approve, ...resume } of resumes) {
  if (!isInterrupted(state)) break;
  interrupts.push(state.__interrupt__.map(({ value }) => value));
  if (approve)
    execFileSync(approve[0], [...approve.slice(1), interrupts.at(-1)[0].approvalId], { env: server.env });
  state = await graph.invoke(new Command({ resume }), config);
}
if (isInterrupted(state)) interrupts.push(state.__interrupt__.map(({ value }) => value));
const told = state.messages.map(({ type, content, status, artifact, name }) => ({
  type,
  content,
  status,
  artifact,
  name,
}));
console.log(JSON.stringify({ bound, interrupts, messages: told }));
await client.close();
