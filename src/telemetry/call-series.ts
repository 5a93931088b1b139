import type { Counter, Histogram, Registry } from 'prom-client';
import { STAGES } from '../core/call.js';
import { ERROR_CODES, isRefusal, isWaiting } from '../core/errors.js';
import { LIMIT_REASONS } from '../core/reply.js';
import type { CallStart, FinishedCall } from '../mcp/pipeline/call-watch.js';

/** prom-client, once it is loaded. */
export type PromClient = typeof import('prom-client');

// Buckets are upper bounds. A search takes milliseconds; the default deadline of calls is 30 s.
const CALL_SECONDS = {
  name: 'call_duration_seconds',
  help: 'Time from request to response.',
  buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
};
const STAGE_SECONDS = {
  name: 'stage_duration_seconds',
  help: 'Duration of one retrieval stage.',
  buckets: [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
};
/** Results are at most 64 KB unless the limit is raised. */
const RESPONSE_BYTES = {
  name: 'response_bytes',
  help: 'Size of a serialized result.',
  buckets: [512, 1_024, 2_048, 4_096, 8_192, 16_384, 24_576, 32_768, 49_152, 65_536, 262_144],
};

/** Methods counted by name; all others are `other`. */
const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'skills/list',
  'skills/get',
];

/** Reasons for dropping duplicates, as in traces. */
const DEDUPE_REASONS = ['same_document', 'near_duplicate'] as const;

const LEGS = ['bm25', 'vector', 'graph', 'rerank'];

function seriesIn({ Counter, Histogram }: PromClient, registry: Registry) {
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
    new Counter({ name: `pith_${name}_total`, help, labelNames, registers });
  const histogram = <L extends string>(
    { name, help, buckets }: { readonly name: string; readonly help: string; readonly buckets: number[] },
    ...labelNames: L[]
  ): Histogram<L> => new Histogram({ name: `pith_${name}`, help, buckets, labelNames, registers });
  const errors =
    'Requests answered with an error, by code, including refusals, without calls that wait for an approval.';
  return {
    calls: counter('calls', 'Requests answered.', 'method', 'tool', 'outcome'),
    errors: counter('call_errors', errors, 'method', 'tool', 'code'),
    truncations: counter('truncations', 'Truncated results.', 'tool', 'limit_reason'),
    cursors: counter('cursor_calls', 'Calls with a cursor.', 'tool'),
    dedupeDrops: counter('dedupe_dropped', 'Sections dropped as duplicates.', 'tool', 'reason'),
    degraded: counter('degraded', 'Retrievals with an unavailable component.', 'tool', 'leg'),
    seconds: histogram(CALL_SECONDS, 'method', 'tool'),
    stageSeconds: histogram(STAGE_SECONDS, 'tool', 'stage'),
    bytes: histogram(RESPONSE_BYTES, 'tool'),
  };
}

/** A label from a fixed set, so that clients can't create new series. */
const oneOf = (known: readonly string[], value: string): string => (known.includes(value) ? value : 'other');

/** Neither a refusal nor a call that waits for an approval is a failure, so that they do not trigger alerts. */
function outcomeOf(error: FinishedCall['error']): string {
  if (!error) return 'ok';
  if (isWaiting(error)) return 'waiting';
  return isRefusal(error) ? 'refused' : 'error';
}

function hasCursor(args: unknown): boolean {
  if (typeof args !== 'object' || args === null || !('cursor' in args)) return false;
  return typeof args.cursor === 'string' && args.cursor !== '';
}

/** The series of calls. */
export class CallSeries {
  private readonly series: ReturnType<typeof seriesIn>;
  private readonly tools: ReadonlySet<string>;

  constructor(prom: PromClient, registry: Registry, tools: Iterable<string>) {
    this.series = seriesIn(prom, registry);
    this.tools = new Set(tools);
  }

  add(finished: FinishedCall): void {
    const { series } = this;
    const { start, args, error, usage, durationMs } = finished;
    const tool = this.toolLabel(start);
    const method = oneOf(METHODS, start.method);
    series.calls.inc({ method, tool, outcome: outcomeOf(error) });
    if (error && !isWaiting(error)) series.errors.inc({ method, tool, code: oneOf(ERROR_CODES, error.code) });
    series.seconds.observe({ method, tool }, durationMs / 1000);
    series.bytes.observe({ tool }, usage.bytes);
    if (usage.limitReason !== 'none')
      series.truncations.inc({ tool, limit_reason: oneOf(LIMIT_REASONS, usage.limitReason) });
    if (hasCursor(args)) series.cursors.inc({ tool });
    this.addTrace(finished, tool);
  }

  private addTrace({ call: { trace } }: FinishedCall, tool: string): void {
    const { series } = this;
    for (const stage of STAGES) {
      const ms = trace.stages[stage];
      if (ms !== undefined) series.stageSeconds.observe({ tool, stage }, ms / 1000);
    }
    for (const reason of DEDUPE_REASONS) {
      const dropped = trace.drops[reason];
      if (dropped) series.dedupeDrops.inc({ tool, reason }, dropped);
    }
    for (const leg of trace.degraded) series.degraded.inc({ tool, leg: oneOf(LEGS, leg) });
  }

  /** The tool's name; `unknown` if no tool has it, `none` for requests other than `tools/call`. */
  private toolLabel({ method, tool }: CallStart): string {
    if (method !== 'tools/call') return 'none';
    return tool !== null && this.tools.has(tool) ? tool : 'unknown';
  }
}
