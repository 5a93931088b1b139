import type { Call, Caller, CallFailure } from '../../core/call.js';
import { isRefusal, ScopeViolationError } from '../../core/errors.js';
import type {
  CallCompletedEvent,
  CallOutcome,
  LedgerCallFacts,
  RecordedEvent,
} from '../../core/ledger/ledger-event.js';
import type { Ledger } from '../../core/ports/ledger.port.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { namedRun, RUN_FIELD } from '../../mcp/pipeline/named-run.js';
import type { SafetyClass } from '../../mcp/tool-class.js';
import { inputHash, type LedgerKeys } from './ledger-keys.js';
import { lineScope } from './line-scope.js';

/** Requests that are recorded. Lists are not. */
const RECORDED = ['tools/call', 'resources/read', 'prompts/get'];
/** Runs whose owner is remembered; the ledger knows the others. */
const MAX_OWNERS = 10_000;

function outcomeOfFailure(error: CallFailure, isExecuted: boolean): CallOutcome {
  if (error.code === 'TIMEOUT') return 'timed_out';
  if (error.code === 'SCOPE_VIOLATION') return 'refused';
  if (isExecuted || !isRefusal(error)) return 'error';
  return error.code === 'INVALID_ARGUMENT' ? 'invalid' : 'refused';
}

/** True also if the caller was answered that the tool does not exist. */
const isDenied = ({ trace }: Call): boolean => trace.policy?.effect === 'deny';

function outcomeOf({ call, isCancelled, error }: FinishedCall, isExecuted: boolean): CallOutcome {
  if (isCancelled) return 'cancelled';
  if (isDenied(call)) return 'refused';
  if (error) return outcomeOfFailure(error, isExecuted);
  // A call of an unknown tool is a protocol error, which has no error code.
  return isExecuted ? 'success' : 'invalid';
}

/** The facts of a call that all its lines have. */
export function ledgerFactsOf({ id, caller, trace, scope }: Call, tool: string): LedgerCallFacts {
  const { principal, agent } = caller;
  const { rule = null, effect = null } = trace.policy ?? {};
  return { call_id: id, run_id: trace.run, tool, principal, agent, rule, effect, ...lineScope(scope) };
}

const runOfSession = ({ sessionId }: Caller): string => `session:${sessionId}`;

/** The request that starts a call. */
export interface StartedRequest {
  /** After defaults. */
  readonly args: unknown;
  /** The arguments as they are recorded; undefined if they are not. */
  readonly argumentsText?: string | undefined;
  /** Its `_meta`. */
  readonly meta: unknown;
  readonly safety: SafetyClass;
  /** Of the tool. */
  readonly version: string;
}

/** The principal of a run. */
interface RunOwner {
  readonly principal: string;
  /** False until its line is in the ledger: another server may give the run to somebody else meanwhile. */
  readonly isRecorded: boolean;
}

/** Records calls in the run ledger: a line before a call is executed, and a line when it has ended. */
export class CallLedger {
  private readonly owners = new Map<string, RunOwner>();
  /** Calls that have ended and whose run is looked up. */
  private readonly ending = new Set<Promise<void>>();
  private isOn = true;
  private isFailing = false;

  /** @param onFailure  called once when a line is not accepted, until one is */
  constructor(
    private readonly ledger: Ledger,
    private readonly keys: LedgerKeys,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  /** From now on, nothing is recorded. */
  turnOff(): void {
    this.isOn = false;
  }

  /**
   * Notes the run of a call in its trace: the one that the client names, or that of its session.
   * @throws ScopeViolationError `run_of_another_principal`; BackendUnavailableError if the owner of a named run can't
   *   be read
   */
  async join({ trace, caller }: Call, meta: unknown): Promise<void> {
    if (!this.isOn || trace.run !== null) return;
    const named = namedRun(meta);
    if (named !== null && !(await this.owns(caller, named))) {
      throw new ScopeViolationError('This run belongs to another principal.', {
        reason: 'run_of_another_principal',
        hint: `Send a run id of your own in _meta["${RUN_FIELD}"], or none.`,
      });
    }
    trace.run = named ?? runOfSession(caller);
  }

  /**
   * Records that a call starts. Resolves when it may be executed: for a tool that only reads at once, otherwise when
   * the line is durable.
   * @throws as `join`; BackendUnavailableError if the line can't be stored; the reason of the call's signal
   */
  async start(call: Call, tool: string, request: StartedRequest): Promise<void> {
    if (!this.isOn) return;
    const { trace, caller, signal } = call;
    const { args, meta, safety, version, argumentsText } = request;
    await this.join(call, meta);
    // A call that has ended already has its last line.
    signal.throwIfAborted();
    const line = {
      type: 'tool.call.started',
      ...ledgerFactsOf(call, tool),
      version,
      input_hash: inputHash(args, this.keys),
      ...(argumentsText === undefined ? {} : { arguments: argumentsText }),
      session: caller.sessionId,
    } as const;
    // Reads are answered even if the ledger can't be written.
    if (safety === 'read') this.append(line);
    else await this.ledger.append([line], { durable: true });
    signal.throwIfAborted();
    trace.isStarted = true;
  }

  /** Records that a call has ended. The answer does not wait for it. */
  observe(finished: FinishedCall): void {
    const { call, start } = finished;
    if (!this.isOn || !RECORDED.includes(start.method)) return;
    const { trace, caller } = call;
    const named = trace.run === null ? namedRun(start.meta) : null;
    const record = (run: string): void => this.append(this.completed(finished, run));
    if (named === null) return record(trace.run ?? runOfSession(caller));
    const isOwn = this.owns(caller, named).catch(() => false);
    const ending = isOwn.then((own) => record(own ? named : runOfSession(caller)));
    this.ending.add(ending);
    void ending.finally(() => this.ending.delete(ending));
  }

  /** Resolves when the ledger has the last line of every call that has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.ending);
  }

  /**
   * Records an event that is not part of a call. Resolves when it is durable, or if nothing is recorded.
   * @throws BackendUnavailableError
   */
  async recordOrFail(event: RecordedEvent): Promise<void> {
    if (this.isOn) await this.ledger.append([event], { durable: true });
  }

  /** Records an event that is not part of a call. Resolves when it is durable, or could not be recorded. */
  async record(event: RecordedEvent): Promise<void> {
    try {
      await this.recordOrFail(event);
      this.isFailing = false;
    } catch (error) {
      this.report(error);
    }
  }

  private append(event: RecordedEvent): void {
    this.ledger.append([event], { durable: false }).then(
      () => (this.isFailing = false),
      (error: unknown) => this.report(error),
    );
  }

  private report(error: unknown): void {
    if (!this.isFailing) this.onFailure(error);
    this.isFailing = true;
  }

  private completed(finished: FinishedCall, run_id: string): CallCompletedEvent {
    const { call, start, usage, durationMs, error } = finished;
    const executed = call.trace.isStarted;
    return {
      type: 'tool.call.completed',
      ...ledgerFactsOf(call, start.tool ?? start.requestedTool ?? call.trace.policy?.tool ?? start.method),
      run_id,
      outcome: outcomeOf(finished, executed),
      executed,
      refs: call.trace.refs,
      bytes: usage.bytes,
      tokens: usage.tokens,
      duration_ms: Math.round(durationMs * 1_000) / 1_000,
      error_code: isDenied(call) ? 'SCOPE_VIOLATION' : (error?.code ?? null),
      ...(call.trace.approvalId === null ? {} : { approval_id: call.trace.approvalId }),
    };
  }

  /** True if a run belongs to the caller or is new. */
  private async owns(caller: Caller, run: string): Promise<boolean> {
    const known = this.owners.get(run);
    const owner = known?.isRecorded ? known : await this.firstOwner(run, caller);
    return owner.principal === caller.principal;
  }

  /** The owner in the ledger, where the oldest line decides; for a new run the first caller. */
  private async firstOwner(runId: string, { principal }: Caller): Promise<RunOwner> {
    const [line] = await this.ledger.lines({ runId, from: 'oldest', limit: 1 });
    const recorded = line && 'principal' in line.event ? line.event.principal : null;
    // Another call may have named the run meanwhile.
    const claimed = this.owners.get(runId) ?? { principal, isRecorded: false };
    const owner = recorded === null ? claimed : { principal: recorded, isRecorded: true };
    this.owners.set(runId, owner);
    const [oldest] = this.owners.keys();
    if (this.owners.size > MAX_OWNERS && oldest !== undefined) this.owners.delete(oldest);
    return owner;
  }
}
