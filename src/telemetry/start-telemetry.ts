import {
  type Attributes,
  type Context,
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { installCommand } from '../config/required-packages.js';
import type { TelemetryConfig } from '../config/settings/telemetry.config.js';
import { VERSION } from '../core/package-facts.js';
import type { DiagnosticPaths } from '../diagnostics/archive/diagnostic-paths.js';
import type { DiagnosticRecord } from '../diagnostics/record/diagnostic-record.js';
import type { CallMetrics } from './call-metrics.js';
import { diagnosticSummary } from '../diagnostics/archive/diagnostic-log-line.js';
import { type Exporters, openExporters } from './open-exporters.js';
import { warnSeldom } from './warn-seldom.js';

interface TelemetryOptions {
  readonly config: Pick<TelemetryConfig, 'otlpEndpoint' | 'serviceName' | 'isDisabled'>;
  /** The metrics; null if nothing is counted. */
  readonly metrics: Pick<CallMetrics, 'registry'> | null;
  /** To stderr. */
  readonly warn: (message: string) => void;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Sends traces, metrics and logs to a collector. */
export abstract class Telemetry {
  /** Resolves when spans are recorded, or can't be; calls need not wait for it. */
  abstract readonly started: Promise<void>;
  /** One record at INFO for each diagnostic: ids, counters and where the artifacts are. Never throws, never waits. */
  abstract readonly log: (record: DiagnosticRecord, paths: DiagnosticPaths) => void;
  /** Sends what is left, and gives up after so many milliseconds; never rejects. */
  abstract readonly shutdown: (limitMs: number) => Promise<void>;
}

/** Where nothing is configured. */
const NO_TELEMETRY: Telemetry = {
  started: Promise.resolve(),
  log: () => undefined,
  shutdown: () => Promise.resolve(),
};

const INFO = 9;

/** What `openExporters` loads; prom-client counts. */
const SDK = [
  'prom-client',
  ...['core', 'resources', 'sdk-logs', 'sdk-metrics', 'sdk-trace-base'].map(
    (name) => `@opentelemetry/${name}`,
  ),
  ...['logs', 'metrics', 'trace'].map((name) => `@opentelemetry/exporter-${name}-otlp-http`),
];

/** The context of the span that a record belongs to; whether that span is sampled, the record does not say. */
function contextOf({ otel }: DiagnosticRecord): Context {
  const { trace_id: traceId, span_id: spanId } = otel;
  if (traceId === null || spanId === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.NONE });
}

/** Attributes of a log record can't be null. */
function attributesOf(record: DiagnosticRecord, paths: DiagnosticPaths): Attributes {
  const attributes: Attributes = {};
  for (const [name, value] of Object.entries(diagnosticSummary(record, paths))) {
    if (value !== null) attributes[name] = value;
  }
  return attributes;
}

function emit({ logging }: Exporters, record: DiagnosticRecord, paths: DiagnosticPaths): void {
  logging?.getLogger('pith', VERSION).emit({
    eventName: 'retrieval.diagnostic',
    severityNumber: INFO,
    severityText: 'INFO',
    body: `retrieval diagnostic ${record.diagnostic_id}`,
    attributes: attributesOf(record, paths),
    context: contextOf(record),
  });
}

/** Loads the SDK and puts it behind the API. @returns null where it can't be loaded */
async function open({ config, metrics, warn, now }: TelemetryOptions): Promise<Exporters | null> {
  diag.setLogger(warnSeldom(warn, now), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  try {
    const registry = metrics && (() => metrics.registry());
    const exporters = await openExporters({ config, registry, now });
    if (exporters.tracing) trace.setGlobalTracerProvider(exporters.tracing);
    return exporters;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn(
      `telemetry: nothing is sent because the OpenTelemetry SDK can't be loaded (${why.split('\n')[0]}). ` +
        `Install it: ${installCommand(SDK)}; or unset OTEL_EXPORTER_OTLP_ENDPOINT.`,
    );
    return null;
  }
}

async function within(limitMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, over]);
  clearTimeout(timer);
}

/**
 * Begins to send traces, metrics and logs to the configured collector. Without one no module of the SDK is loaded.
 * A collector that is down costs no call anything: batches wait in bounded queues, go, and are warned of.
 */
export function startTelemetry(options: TelemetryOptions): Telemetry {
  const { otlpEndpoint, isDisabled } = options.config;
  if (otlpEndpoint === '' || isDisabled) return NO_TELEMETRY;
  const opening = open(options);
  return {
    started: opening.then(() => undefined),
    log: (record, paths) =>
      void opening
        .then((exporters) => exporters && emit(exporters, record, paths))
        .catch((error: unknown) => diag.error(String(error))),
    shutdown: async (limitMs) => {
      await within(
        limitMs,
        opening.then((exporters) => exporters?.shutdown()),
      );
      trace.disable();
      diag.disable();
    },
  };
}
