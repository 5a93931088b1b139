import type { Counter, Histogram, Registry } from 'prom-client';
import { STAGES } from '../core/call.js';
import { isRefusal } from '../core/errors.js';
import type { FinishedCall } from '../mcp/pipeline/call-watch.js';
import { DEDUPE_REASONS, type MetricLabels } from './metric-labels.js';

/** prom-client, once it is loaded. */
export type PromClient = typeof import('prom-client');

/** Upper bounds in seconds: a search takes milliseconds; the default deadline of calls is 30 s. */
const CALL_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const STAGE_SECONDS = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5,
];
/** Results are at most 64 KB unless the limit is raised. */
const RESPONSE_BYTES = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 24_576, 32_768, 49_152, 65_536, 262_144];

interface Series {
  readonly calls: Counter<'method' | 'tool' | 'outcome'>;
  readonly errors: Counter<'method' | 'tool' | 'code'>;
  readonly seconds: Histogram<'method' | 'tool'>;
  readonly stageSeconds: Histogram<'tool' | 'stage'>;
  readonly bytes: Histogram<'tool'>;
  readonly truncations: Counter<'tool' | 'limit_reason'>;
  readonly cursors: Counter<'tool'>;
  readonly dedupeDrops: Counter<'tool' | 'reason'>;
  readonly degraded: Counter<'tool' | 'leg'>;
}

function countersIn({ Counter }: PromClient, registry: Registry) {
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]): Counter<L> =>
    new Counter({ name: `pith_${name}_total`, help, labelNames, registers: [registry] });
  return {
    calls: counter('calls', 'Requests answered.', 'method', 'tool', 'outcome'),
    errors: counter(
      'call_errors',
      'Requests answered with an error, by code, including refusals.',
      'method',
      'tool',
      'code',
    ),
    truncations: counter('truncations', 'Truncated results.', 'tool', 'limit_reason'),
    cursors: counter('cursor_calls', 'Calls with a cursor.', 'tool'),
    dedupeDrops: counter('dedupe_dropped', 'Sections dropped as duplicates.', 'tool', 'reason'),
    degraded: counter('degraded', 'Retrievals with an unavailable component.', 'tool', 'leg'),
  };
}

function histogramsIn({ Histogram }: PromClient, registry: Registry) {
  const registers = [registry];
  return {
    seconds: new Histogram({
      name: 'pith_call_duration_seconds',
      help: 'Time from request to response.',
      labelNames: ['method', 'tool'],
      buckets: CALL_SECONDS,
      registers,
    }),
    stageSeconds: new Histogram({
      name: 'pith_stage_duration_seconds',
      help: 'Duration of one retrieval stage.',
      labelNames: ['tool', 'stage'],
      buckets: STAGE_SECONDS,
      registers,
    }),
    bytes: new Histogram({
      name: 'pith_response_bytes',
      help: 'Size of a serialized result.',
      labelNames: ['tool'],
      buckets: RESPONSE_BYTES,
      registers,
    }),
  };
}

/** A refusal is not a failure, so that callers' mistakes do not trigger alerts. */
function outcomeOf(error: FinishedCall['error']): string {
  if (!error) return 'ok';
  return isRefusal(error) ? 'refused' : 'error';
}

function hasCursor(args: unknown): boolean {
  if (typeof args !== 'object' || args === null || !('cursor' in args)) return false;
  return typeof args.cursor === 'string' && args.cursor !== '';
}

/** The series of calls. */
export class CallSeries {
  private readonly series: Series;

  constructor(
    prom: PromClient,
    registry: Registry,
    private readonly labels: MetricLabels,
  ) {
    this.series = { ...countersIn(prom, registry), ...histogramsIn(prom, registry) };
  }

  add(finished: FinishedCall): void {
    const { series, labels } = this;
    const { start, args, error, usage, durationMs } = finished;
    const tool = labels.tool(start);
    const method = labels.method(start);
    series.calls.inc({ method, tool, outcome: outcomeOf(error) });
    if (error) series.errors.inc({ method, tool, code: labels.code(error.code) });
    series.seconds.observe({ method, tool }, durationMs / 1000);
    series.bytes.observe({ tool }, usage.bytes);
    if (usage.limitReason !== 'none')
      series.truncations.inc({ tool, limit_reason: labels.limitReason(usage.limitReason) });
    if (hasCursor(args)) series.cursors.inc({ tool });
    this.addTrace(finished, tool);
  }

  private addTrace({ call: { trace } }: FinishedCall, tool: string): void {
    const { series, labels } = this;
    for (const stage of STAGES) {
      const ms = trace.stages[stage];
      if (ms !== undefined) series.stageSeconds.observe({ tool, stage }, ms / 1000);
    }
    for (const reason of DEDUPE_REASONS) {
      const dropped = trace.drops[reason];
      if (dropped) series.dedupeDrops.inc({ tool, reason }, dropped);
    }
    for (const leg of trace.degraded) series.degraded.inc({ tool, leg: labels.leg(leg) });
  }
}
