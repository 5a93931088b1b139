import { setTimeout as delay } from 'node:timers/promises';
import type { LoggingLevel, McpServer } from '@modelcontextprotocol/server';
import type { Call, Caller } from '../../core/call.js';
import { withCallSignal } from '../../core/call-signal.js';
import { DeadlineExceededError, PithError } from '../../core/errors.js';
import { steadyNow } from '../../core/turns/clock.js';
import { CallReports } from '../call-reports.js';
import { questionsOr, streamedIn } from '../calls.js';
import type { CallWatch } from '../pipeline/call-watch.js';
import { type CallerRules, identifyCaller } from '../pipeline/caller-identity.js';
import type { CallerLimits } from '../pipeline/caller-limits.js';
import { type CallConnection, type McpRequest, startObservedCall } from '../pipeline/observed-call.js';
import { callUsage } from '../pipeline/output.interceptor.js';
import { toEnvelope, toProtocolError } from '../rendering/error-envelope.js';
import { textAdapterFor } from '../surface/adapt-text.js';
import type { ToolState } from '../surface/surface.js';

/** Interval of progress notifications (ms). Clients may wait longer while they hear something. */
const TICK_MS = 2_000;

/** Reports the seconds that a call has run, for tools without progress of their own. @returns ends the reports */
function reportSeconds(reports: CallReports, tool: string): () => void {
  if (!reports.wantsProgress) return () => undefined;
  const begunAt = performance.now();
  const tick = (): void => {
    const progress = Math.round((performance.now() - begunAt) / 1000);
    reports.progress({ progress, message: `${tool} is running` });
  };
  const timer = setInterval(tick, TICK_MS).unref();
  return () => clearInterval(timer);
}

/** Logs to the client how its call went: times and codes, no arguments and no texts. @param name  of the tool or method */
function logOutcome(reports: CallReports, { id, trace, elapsed }: Call, name: string): void {
  for (const stage of trace.degraded)
    reports.log('warning', 'A part of the call failed; the rest was answered.', { call: id, part: stage });
  if (trace.failure) {
    const { code, reason } = trace.failure;
    reports.log('error', 'The call failed.', { call: id, name, code, reason });
  }
  const ms = Math.round(elapsed());
  reports.log('debug', 'The call is answered.', { call: id, name, ms, ...trace.counts });
}

/** Long enough for a request that was already received to start running. */
const QUIET_MS = 20;

/** The calls that run now: each ends at its deadline, and a server that stops waits for all. */
class RunningCalls {
  private readonly running = new Set<Promise<unknown>>();

  /**
   * Runs a call until it is answered or `timeoutMs` milliseconds have passed. `deadline` is aborted when they have.
   *
   * @throws DeadlineExceededError with `hint` when the time has passed; what `run` throws
   */
  async within(
    { timeoutMs, hint }: { readonly timeoutMs: number; readonly hint: string },
    deadline: AbortController,
    run: () => Promise<object>,
  ): Promise<object> {
    const answer = run();
    this.running.add(answer);
    let timer: NodeJS.Timeout | undefined;
    const over = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const message = `The call took longer than ${timeoutMs} ms.`;
        const error = new DeadlineExceededError(message, { reason: 'deadline', hint });
        reject(error);
        deadline.abort(error);
      }, timeoutMs);
    });
    try {
      return await Promise.race([answer, over]);
    } finally {
      clearTimeout(timer);
      this.running.delete(answer);
    }
  }

  async during(needed: Promise<void>): Promise<void> {
    this.running.add(needed);
    await needed.finally(() => this.running.delete(needed));
  }

  /**
   * Waits for running calls and for requests that are still being read.
   * @param ms  longest wait, in milliseconds
   * @returns the number of calls that still run
   */
  async drain(ms: number): Promise<number> {
    const until = performance.now() + ms;
    do {
      const left = delay(Math.max(0, until - performance.now()), undefined, { ref: false });
      await Promise.race([Promise.allSettled(this.running), left]);
      await delay(QUIET_MS);
    } while (this.running.size > 0 && performance.now() < until);
    return this.running.size;
  }
}

const NARROWER = 'Try once more with a narrower question or filters.';
const UNKNOWN = 'The change may have been made. Read what it changes before you call again.';

/** Sessions whose level is kept; the one that set its level first is forgotten first. */
const MAX_SESSIONS = 10_000;

/** The log level that each client has set: of a connection, or of a session over HTTP. */
export class LogLevels {
  private readonly ofSession = new Map<string, LoggingLevel>();
  private readonly ofConnection = new WeakMap<McpServer, LoggingLevel>();

  /** @param session  null without a session id */
  set(server: McpServer, session: string | null, level: LoggingLevel): void {
    if (session === null) {
      this.ofConnection.set(server, level);
      return;
    }
    this.ofSession.delete(session);
    this.ofSession.set(session, level);
    const [oldest] = this.ofSession.keys();
    if (this.ofSession.size > MAX_SESSIONS && oldest !== undefined) this.ofSession.delete(oldest);
  }

  /** Null if the client has set none: then it gets no messages. */
  get(server: McpServer, session: string | null): LoggingLevel | null {
    return (session === null ? this.ofConnection.get(server) : this.ofSession.get(session)) ?? null;
  }
}

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
  /** Levels that clients have set with `logging/setLevel`. */
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
      leave(() => callUsage(call, answer, null).bytes);
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
    const timeoutMs =
      this.parts.limits.callTimeoutMs + waitsMs + (streamed?.sent || streamed?.send ? STREAM_MS : 0);
    const deadline = new AbortController();
    const reports = this.openReports(connection, request);
    const started = { ...this.parts, caller, tool, reports, deadline: deadline.signal };
    const { call, end } = startObservedCall(connection, request, started);
    const name = tool?.definition.name ?? request.method;
    const endTicks =
      tool && !tool.definition.reportsProgress ? reportSeconds(reports, name) : () => undefined;
    let answer: object = {};
    try {
      const answered = () =>
        questionsOr(
          connection.sdkContext,
          withCallSignal(call.signal, () => run(call)),
        );
      const hint = (tool?.definition.safety ?? 'read') === 'read' ? NARROWER : UNKNOWN;
      answer = await this.running.within({ timeoutMs, hint }, deadline, answered);
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

  private openReports({ sdkContext, server }: CallConnection, request: McpRequest): CallReports {
    const level = this.levels.get(server, sdkContext.sessionId ?? null);
    return new CallReports({ sdkContext, level, meta: request.params?.['_meta'] });
  }

  /** Has the end of the server wait for something that a call needs before it begins. */
  beforeCall(needed: Promise<void>): Promise<void> {
    return this.running.during(needed);
  }

  /** Waits for running calls, `ms` milliseconds at most. @returns the number of calls that still run */
  drain(ms: number): Promise<number> {
    return this.running.drain(ms);
  }
}
