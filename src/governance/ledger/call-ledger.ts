import { randomBytes } from 'node:crypto';
import type { Call, Caller } from '../../core/call.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { namedRun } from '../../mcp/pipeline/observed-call.js';
import { LOCAL } from '../../mcp/principals.js';
import type { SafetyClass } from '../../mcp/tool-class.js';
import { completedEvent, ledgerFactsOf } from './completed-event.js';
import { PROCESS_CLOCK, type WorkClock } from './daily-removal.js';
import type { Ledger } from './ledger.js';
import { inputHash, type LedgerKeys } from './ledger-chain.js';
import type { RecordedEvent } from './ledger-event.js';

const BYTES = 16;
const CREATED = new RegExp(`^run_[0-9a-f]{${2 * BYTES}}$`);

/** A new id for a run that `run.create` makes. Nobody can guess it. */
export const createdRunId = (): string => `run_${randomBytes(BYTES).toString('hex')}`;

/** True for ids of the form that `createdRunId` makes. */
const isCreatedRunId = (id: string): boolean => CREATED.test(id);

/** Shortest time between two lines about throttled calls of one principal (ms). */
const WINDOW_MS = 1_000;

/** Reasons of calls that `CallerLimits` refuses. */
const REASONS = ['rate_limited', 'concurrency', 'quota'];

/** True for a call that was refused because its principal makes too many. */
export const isThrottled = ({ call, error }: FinishedCall): boolean =>
  error !== null && REASONS.includes(error.reason) && !call.decisions.isStarted;

/** Throttled calls since the last line about one principal. */
interface Window {
  calls: number;
  last: FinishedCall | null;
}

/** Combines throttled calls: a principal that calls too often adds at most one line a second to the ledger. */
export class ThrottledCalls {
  private readonly windows = new Map<string, Window>();

  /** @param record  records a call, and the number of further calls that it stands for */
  constructor(
    private readonly record: (finished: FinishedCall, omitted: number) => void,
    private readonly clock: Pick<WorkClock, 'after'>,
  ) {}

  note(finished: FinishedCall): void {
    const { principal } = finished.call.caller;
    const window = this.windows.get(principal);
    if (!window) return this.open(principal, finished, 0);
    window.calls++;
    window.last = finished;
  }

  /** Records what is not recorded yet. */
  flush(): void {
    for (const { calls, last } of this.windows.values()) if (last) this.record(last, calls - 1);
    this.windows.clear();
  }

  private open(principal: string, finished: FinishedCall, omitted: number): void {
    const window: Window = { calls: 0, last: null };
    this.windows.set(principal, window);
    this.clock.after(WINDOW_MS, () => this.close(principal, window));
    this.record(finished, omitted);
  }

  private close(principal: string, window: Window): void {
    if (this.windows.get(principal) !== window) return;
    this.windows.delete(principal);
    const { calls, last } = window;
    if (last) this.open(principal, last, calls - 1);
  }
}

/** Created runs whose owner is remembered; the ledger knows the others. */
const MAX_OWNERS = 10_000;

/** The run of calls that name none. */
const runOfSession = ({ sessionId }: Caller): string => `session:${sessionId}`;

/**
 * Tells in which run of the ledger a call is recorded. What one principal names changes nothing for others:
 *
 * ```text
 * names no run                              session:ID
 * names a run that it has created           run_…
 * another name                              NAME@PRINCIPAL, or NAME if the principal is `local`
 * ```
 */
export class CallRuns {
  /** Principals of created runs. */
  private readonly owners = new Map<string, string>();

  constructor(private readonly ledger: Pick<Ledger, 'lines'>) {}

  /** @throws BackendUnavailableError if the owner of a created run can't be read */
  async runOf(caller: Caller, meta: unknown): Promise<string> {
    const named = namedRun(meta);
    if (named === null) return runOfSession(caller);
    const owner = isCreatedRunId(named) ? await this.ownerOf(named) : LOCAL.name;
    return owner === caller.principal ? named : `${named}@${caller.principal}`;
  }

  /** Null for a run that nobody has created. */
  private async ownerOf(runId: string): Promise<string | null> {
    const known = this.owners.get(runId);
    if (known !== undefined) return known;
    const [line] = await this.ledger.lines({ runId, from: 'oldest', limit: 1 });
    if (!line || !('principal' in line.event)) return null;
    const { principal } = line.event;
    this.owners.set(runId, principal);
    const [oldest] = this.owners.keys();
    if (this.owners.size > MAX_OWNERS && oldest !== undefined) this.owners.delete(oldest);
    return principal;
  }
}

/** Requests that are recorded. Lists are not. */
const RECORDED = ['tools/call', 'resources/read', 'prompts/get'];

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

/** Records calls in the run ledger: a line before a call is executed, and a line when it has ended. */
export class CallLedger {
  private readonly runs: CallRuns;
  private readonly throttled: ThrottledCalls;
  /** Calls that have ended and whose run is looked up. */
  private readonly ending = new Set<Promise<void>>();
  private isOn = true;
  private isFailing = false;

  /**
   * @param onFailure  called once when a line is not accepted, until one is
   * @param clock  delays lines of throttled calls
   */
  constructor(
    private readonly ledger: Ledger,
    private readonly keys: LedgerKeys,
    private readonly onFailure: (error: unknown) => void,
    clock: Pick<WorkClock, 'after'> = PROCESS_CLOCK,
  ) {
    this.runs = new CallRuns(ledger);
    this.throttled = new ThrottledCalls((finished, omitted) => this.recordEnd(finished, omitted), clock);
  }

  /** From now on, nothing is recorded. */
  turnOff(): void {
    this.isOn = false;
  }

  /** Decides the run of a call. @throws BackendUnavailableError if the owner of a created run can't be read */
  async join({ decisions, caller }: Call, meta: unknown): Promise<void> {
    if (this.isOn && decisions.run === null) decisions.decide({ run: await this.runs.runOf(caller, meta) });
  }

  /**
   * Records that a call starts. Resolves when it may be executed: for a tool that only reads at once, otherwise when
   * the line is durable.
   * @throws as `join`; BackendUnavailableError if the line can't be stored; the reason of the call's signal
   */
  async start(call: Call, tool: string, request: StartedRequest): Promise<void> {
    if (!this.isOn) return;
    const { decisions, caller, signal } = call;
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
    decisions.decide({ isStarted: true });
  }

  /** Records that a call has ended. The answer does not wait for it. */
  observe(finished: FinishedCall): void {
    if (!this.isOn || !RECORDED.includes(finished.start.method)) return;
    if (isThrottled(finished)) this.throttled.note(finished);
    else this.recordEnd(finished);
  }

  /** @param omitted  number of further calls that the line stands for */
  private recordEnd(finished: FinishedCall, omitted = 0): void {
    const { call, start } = finished;
    const { decisions, caller } = call;
    const record = (run: string): void => this.append(completedEvent(finished, run, omitted));
    if (decisions.run !== null) return record(decisions.run);
    const run = this.runs.runOf(caller, start.meta).catch(() => runOfSession(caller));
    const ending = run.then(record);
    this.ending.add(ending);
    void ending.finally(() => this.ending.delete(ending));
  }

  /** Resolves when the ledger has the last line of every call that has ended. */
  async settled(): Promise<void> {
    this.throttled.flush();
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
}
