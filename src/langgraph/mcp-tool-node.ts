// src/langgraph: tools of a Pith server in a LangGraph graph, the package's export `pith/langgraph`; imports no other folder
import type { ToolDefinition } from '@langchain/core/language_models/base';
import { AIMessage, type BaseMessage, type ToolMessage } from '@langchain/core/messages';
import type { ToolCall } from '@langchain/core/messages/tool';
import { pickRunnableConfigKeys, Runnable, type RunnableConfig } from '@langchain/core/runnables';
import { AsyncLocalStorageProviderSingleton } from '@langchain/core/singletons';
import { END, interrupt, Send } from '@langchain/langgraph';
import { type CallToolResult, type RequiredApproval, requiredApproval, toolMessage } from './tool-result.js';

/** The result of a call that needs an answer of the caller first (MCP 2026-07-28). */
interface InputRequired {
  readonly resultType: 'input_required';
  readonly inputRequests: Readonly<
    Record<string, { readonly method?: string; readonly params?: { readonly message?: string } }>
  >;
  readonly requestState?: string;
}

function isInputRequired(result: CallToolResult | InputRequired): result is InputRequired {
  return 'resultType' in result && result.resultType === 'input_required';
}

/** The parameters that answer all questions of a call in the same way. */
function inputResponses({ inputRequests, requestState }: InputRequired, isApproved: boolean): object {
  const answer = isApproved ? { action: 'accept', content: {} } : { action: 'decline' };
  return {
    inputResponses: Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer])),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: Record<string, unknown>;
}

/** The methods of an MCP client that the node needs. `Client` of `@modelcontextprotocol/client` has them. */
export interface ToolClient {
  listTools(params?: { cursor?: string }): Promise<{ tools: readonly ListedTool[]; nextCursor?: string }>;
  /** `callTool` of the client would refuse a question of the server, because it is no result of the tool. */
  request(
    request: { method: 'tools/call'; params: Record<string, unknown> },
    resultSchema: AnyResult,
    options?: { signal?: AbortSignal; allowInputRequired?: boolean },
  ): Promise<unknown>;
}

/** A schema that accepts every result. The server checks its results itself. */
interface AnyResult {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: 'pith';
    readonly validate: (value: unknown) => { readonly value: unknown };
  };
}

const ANY_RESULT: AnyResult = {
  '~standard': { version: 1, vendor: 'pith', validate: (value) => ({ value }) },
};

export interface MCPToolNodeOptions {
  readonly client: ToolClient;
  /**
   * The run of the server's ledger that calls belong to: 1 to 128 letters, digits and `_.:-`.
   * Default: the thread id of the graph.
   */
  readonly runId?: (config: RunnableConfig) => string | undefined;
}

/** The state of a graph with messages, or one tool call from `routeToolCalls`. */
export type MCPToolNodeInput = { readonly messages: BaseMessage[] } | { readonly toolCall: ToolCall };

/** The value of an interrupt. Resume with `ApprovalAnswer`. */
export interface ApprovalInterrupt extends RequiredApproval {
  readonly type: 'approval_required';
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/**
 * The value that resumes a graph. `approve`: makes the call again; if an operator has not decided yet, the graph is
 * interrupted again. `reject`: the model is told that the call was rejected. Any other value decides nothing, and the
 * graph is interrupted again.
 */
export interface ApprovalAnswer {
  readonly decision: 'approve' | 'reject';
}

const HOW_TO_RESUME = "Resume with { decision: 'approve' } or { decision: 'reject' }.";

/** Ids that the server accepts. */
const RUN_ID = /^(?!session:)[\w.:-]{1,128}$/;

function threadOf({ configurable }: RunnableConfig): string | undefined {
  const thread: unknown = configurable?.['thread_id'];
  return typeof thread === 'string' ? thread : undefined;
}

/**
 * Interrupts the graph until it is resumed with an `ApprovalAnswer`. After any other value it is interrupted again, with a
 * message that says how to resume.
 */
function decisionOf(asked: ApprovalInterrupt): ApprovalAnswer['decision'] {
  const decide = (question: ApprovalInterrupt): unknown => Object(interrupt(question)).decision;
  let decision = decide(asked);
  while (decision !== 'approve' && decision !== 'reject')
    decision = decide({ ...asked, message: `${HOW_TO_RESUME} ${asked.message}` });
  return decision;
}

function rejected(call: ToolCall): ToolMessage {
  const text = `A person rejected this call of ${call.name}. Continue without it.`;
  return toolMessage(call, { isError: true, content: [{ type: 'text', text }] });
}

/** Errors that the server answered with, such as an unknown tool. Others, such as a lost connection, end the step. */
function isProtocolError(error: unknown): error is Error & { readonly code: number } {
  return error instanceof Error && 'code' in error && Number.isInteger(error.code);
}

function toolCallsOf(messages: readonly BaseMessage[]): readonly ToolCall[] {
  const last = messages.at(-1);
  return last && AIMessage.isInstance(last) ? (last.tool_calls ?? []) : [];
}

/**
 * A graph node that makes the tool calls of the last message on an MCP server and answers with tool messages.
 * References are in `artifact.refs`. A call that needs an approval interrupts the graph with an `ApprovalInterrupt`;
 * if one message has several calls, this needs `routeToolCalls`, because LangGraph repeats a step that was interrupted.
 */
export class MCPToolNode extends Runnable<MCPToolNodeInput, { messages: ToolMessage[] }> {
  lc_namespace = ['pith', 'langgraph'];

  constructor(private readonly options: MCPToolNodeOptions) {
    super();
  }

  /** The tools that the server offers, for `model.bindTools()`. */
  async tools(): Promise<ToolDefinition[]> {
    const tools: ListedTool[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.options.client.listTools(cursor === undefined ? undefined : { cursor });
      tools.push(...page.tools);
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
  }

  override async invoke(
    input: MCPToolNodeInput,
    config: RunnableConfig = {},
  ): Promise<{ messages: ToolMessage[] }> {
    const calls = 'toolCall' in input ? [input.toolCall] : toolCallsOf(input.messages);
    const [only] = calls;
    if (calls.length === 1 && only)
      return { messages: [await inGraph(config, () => this.answer(only, config))] };
    const answer = async (call: ToolCall): Promise<ToolMessage> =>
      this.messageOf(call, await this.request(call, {}, config));
    return { messages: await Promise.all(calls.map(answer)) };
  }

  /** Makes a call, and interrupts the graph for as long as an approval is missing. */
  private async answer(call: ToolCall, config: RunnableConfig): Promise<ToolMessage> {
    const result = await this.request(call, {}, config);
    if (isInputRequired(result)) {
      const isApproved = decisionOf(interruptOf(call, askedOf(result))) === 'approve';
      return this.messageOf(call, await this.request(call, inputResponses(result, isApproved), config));
    }
    const approval = requiredApproval(result);
    if (!approval) return toolMessage(call, result);
    // After a resume this step runs again, so the result above is newer than the value that `interrupt` returns.
    // It throws when no value is left.
    for (;;) if (decisionOf(interruptOf(call, approval)) === 'reject') return rejected(call);
  }

  private messageOf(call: ToolCall, result: CallToolResult | InputRequired): ToolMessage {
    if (!isInputRequired(result)) return toolMessage(call, result);
    const text = `${call.name} needs an approval. Make this call alone.`;
    return toolMessage(call, { isError: true, content: [{ type: 'text', text }] });
  }

  private async request(
    { name, args }: ToolCall,
    extra: object,
    config: RunnableConfig,
  ): Promise<CallToolResult | InputRequired> {
    const { client, runId = threadOf } = this.options;
    const run = runId(config);
    const meta = run !== undefined && RUN_ID.test(run) ? { _meta: { 'pith/run_id': run } } : {};
    try {
      const options = { allowInputRequired: true, ...(config.signal ? { signal: config.signal } : {}) };
      const params = { name, arguments: args, ...meta, ...extra };
      return Object(await client.request({ method: 'tools/call', params }, ANY_RESULT, options));
    } catch (error) {
      if (!isProtocolError(error)) throw error;
      return { isError: true, content: [{ type: 'text', text: error.message }] };
    }
  }
}

/** `interrupt` finds its graph by the configuration that a runnable sets for its own steps. */
function inGraph<T>(config: RunnableConfig, run: () => Promise<T>): Promise<T> {
  return AsyncLocalStorageProviderSingleton.runWithConfig(pickRunnableConfigKeys(config), run);
}

function interruptOf({ name, args }: ToolCall, approval: RequiredApproval): ApprovalInterrupt {
  return { type: 'approval_required', tool: name, args, ...approval };
}

function askedOf({ inputRequests }: InputRequired): RequiredApproval {
  const [first] = Object.values(inputRequests);
  return {
    approvalId: null,
    expiresAt: null,
    rule: null,
    approver: 'caller',
    message: first?.params?.message ?? '',
  };
}

/**
 * A condition for `addConditionalEdges` after the model: sends each tool call to a step of its own, so that an approval of
 * one call repeats no other call. Ends the graph if the last message has no calls.
 * @param node  the name of the `MCPToolNode` in the graph
 */
export function routeToolCalls(node = 'tools'): (state: { messages: BaseMessage[] }) => Send[] | typeof END {
  return ({ messages }) => {
    const calls = toolCallsOf(messages);
    return calls.length === 0 ? END : calls.map((toolCall) => new Send(node, { toolCall }));
  };
}
