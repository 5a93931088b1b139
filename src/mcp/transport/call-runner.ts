import type { Call, Caller } from '../../core/call.js';
import { withCallSignal } from '../../core/call-signal.js';
import { PithError } from '../../core/errors.js';
import { steadyNow } from '../../core/turns/clock.js';
import { beginReports, type CallReports } from '../call-reports.js';
import { questionOr } from '../input-requests.js';
import type { CallWatch } from '../pipeline/call-watch.js';
import { type CallerRules, identifyCaller } from '../pipeline/caller-identity.js';
import type { CallerLimits } from '../pipeline/caller-limits.js';
import { type CallConnection, type McpRequest, startObservedCall } from '../pipeline/observed-call.js';
import { usageOfCall } from '../pipeline/output-usage.js';
import { streamedIn } from '../pipeline/streamed-calls.js';
import { toEnvelope, toProtocolError } from '../rendering/error-envelope.js';
import { textAdapterFor } from '../surface/adapt-text.js';
import type { ToolState } from '../surface/surface.js';
import { LogLevels } from './log-levels.js';
import { RunningCalls } from './running-calls.js';
import { logOutcome, reportSeconds } from './tell-client.js';

/** Time for content that is sent in or with an HTTP request, added to the time limit of the call (ms). */
const STREAM_MS = 60_000;

export interface CallRunnerParts {
  readonly limits: CallerLimits;
  readonly watch: CallWatch;
  readonly rules: CallerRules;
  readonly now: () => number;
}

interface Running {
  readonly connection: CallConnection;
  readonly request: McpRequest;
  readonly caller: Caller;
  /** Undefined for other methods, and for tools that the caller does not know. */
  readonly tool: ToolState | undefined;
  readonly run: (call: Call) => Promise<object>;
  /** The answer to a failure of the call, such as a passed deadline; throws for methods without error results. */
  readonly refuse: (call: Call, error: PithError) => object;
}

/** Runs requests as calls: observed, within their limits and time, with reports to the client. */
export class CallRunner {
  /** What clients have set with `logging/setLevel`. */
  readonly levels = new LogLevels();
  private readonly running = new RunningCalls();

  constructor(private readonly parts: CallRunnerParts) {}

  /** Runs a call within what its caller may take. Lists are not limited. */
  async limited(call: Call, run: () => Promise<object>): Promise<object> {
    const leave = this.parts.limits.admit(call.caller, steadyNow());
    let answer: object = {};
    try {
      answer = await run();
      return answer;
    } finally {
      leave(() => usageOfCall(call, answer, null).bytes);
    }
  }

  /** Runs a method that has no error result: failures become JSON-RPC errors with the envelope as data. */
  asCall(
    connection: CallConnection,
    request: McpRequest & { readonly uri?: string },
    run: (call: Call) => Promise<object>,
  ): Promise<object> {
    const { rules } = this.parts;
    const caller = identifyCaller(connection, rules);
    const refuse = (call: Call, error: PithError): never => {
      throw toProtocolError(toEnvelope(error, call, textAdapterFor(caller, rules.surface)), request.uri);
    };
    return this.run({ connection, request, caller, tool: undefined, run, refuse });
  }

  /** Runs a call until it is answered or its deadline has passed. Failures are answered by `refuse`. */
  async run({ connection, request, caller, tool, run, refuse }: Running): Promise<object> {
    const streamed = streamedIn(connection.rawRequest);
    const waitsMs = tool?.definition.waitsMs ?? 0;
    const timeoutMs = this.parts.limits.callTimeoutMs + waitsMs + (streamed ? STREAM_MS : 0);
    const deadline = new AbortController();
    const started = { ...this.parts, caller, tool, deadline: deadline.signal };
    const { call, end } = startObservedCall(connection, request, started);
    const reports = this.reportsOf(connection, request);
    const name = tool?.definition.name ?? request.method;
    const endTicks = tool && waitsMs === 0 ? reportSeconds(reports, name) : () => undefined;
    let answer: object = {};
    try {
      const answered = () =>
        questionOr(
          connection.sdkContext,
          withCallSignal(call.signal, () => run(call)),
        );
      answer = await this.running.within(timeoutMs, deadline, answered);
      return answer;
    } catch (error) {
      if (!(error instanceof PithError)) throw error;
      answer = refuse(call, error);
      return answer;
    } finally {
      endTicks();
      end(answer);
      if (streamed) streamed.failure = call.trace.failure;
      logOutcome(reports, call, name);
      reports.end();
    }
  }

  private reportsOf({ sdkContext, server }: CallConnection, request: McpRequest): CallReports {
    const level = this.levels.get(server, sdkContext.sessionId ?? null);
    return beginReports({ sdkContext, level, meta: request.params?.['_meta'] });
  }

  /** Waits for running calls and for requests that are still being read. @param ms  longest wait, in milliseconds */
  drain(ms: number): Promise<void> {
    return this.running.drain(ms);
  }
}
