import { setTimeout as delay } from 'node:timers/promises';
import {
  type Attributes,
  type Context,
  diag,
  type DiagLogger,
  DiagLogLevel,
  ROOT_CONTEXT,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { installCommand } from '../config/required-packages.js';
import type { TelemetryConfig } from '../config/settings/telemetry.config.js';
import { VERSION } from '../core/package-facts.js';
import type { Clock } from '../core/turns/clock.js';
import { diagnosticSummary } from '../diagnostics/archive/diagnostic-log-line.js';
import type { DiagnosticPaths } from '../diagnostics/archive/diagnostic-paths.js';
import type { DiagnosticRecord } from '../diagnostics/record/diagnostic-record.js';
import type { CallMetrics } from './call-metrics.js';
import { type Exporters, openExporters } from './open-exporters.js';

/** Minimum time between warnings (ms). Without it, every batch would cause a warning while the collector is down. */
const EVERY_MS = 60_000;
const MAX_CHARS = 200;

/** The message of an error, which the SDK reports as JSON with a stack trace. */
function firstMessage(message: string): string {
  if (!message.startsWith('{')) return message;
  try {
    const told: unknown = JSON.parse(message);
    return typeof told === 'object' && told !== null && 'message' in told ? String(told.message) : message;
  } catch {
    // Not JSON, though it starts like JSON.
    return message;
  }
}

/** Warns of the SDK's own errors, at most once a minute, with the number of suppressed ones. @param now  as `steadyNow` */
export function warnSeldom(warn: (message: string) => void, now: () => number): DiagLogger {
  let lastAt = -Infinity;
  let unsaid = 0;
  const say = (message: string): void => {
    if (now() - lastAt < EVERY_MS) {
      unsaid++;
      return;
    }
    const more = unsaid === 0 ? '' : ` (and ${unsaid} more since the last warning)`;
    const shown = firstMessage(message).replace(/\s+/g, ' ').slice(0, MAX_CHARS);
    lastAt = now();
    unsaid = 0;
    warn(`telemetry: ${shown}${more}`);
  };
  const nothing = (): void => undefined;
  return { error: say, warn: say, info: nothing, debug: nothing, verbose: nothing };
}

interface TelemetryOptions extends Clock {
  readonly config: Pick<TelemetryConfig, 'otlpEndpoint' | 'serviceName' | 'isDisabled'>;
  /** The metrics; null if nothing is counted. */
  readonly metrics: Pick<CallMetrics, 'registry'> | null;
  readonly warn: (message: string) => void;
}

/** Sends traces, metrics and logs to a collector. */
export abstract class Telemetry {
  /** Resolves when spans are recorded or the SDK can't be loaded; calls need not wait for it. */
  abstract readonly started: Promise<void>;
  /** Logs a diagnostic at INFO: ids, counters and the paths of its files. Never throws, never waits. */
  abstract readonly log: (record: DiagnosticRecord, paths: DiagnosticPaths) => void;
  /** Sends what is left, for at most `limitMs`; never rejects. */
  abstract readonly shutdown: (limitMs: number) => Promise<void>;
}

const NO_TELEMETRY: Telemetry = {
  started: Promise.resolve(),
  log: () => undefined,
  shutdown: () => Promise.resolve(),
};

const INFO = 9;

/** Packages that `openExporters` loads. */
const SDK = [
  ...['core', 'resources', 'sdk-logs', 'sdk-metrics', 'sdk-trace-base'],
  ...['logs', 'metrics', 'trace'].map((signal) => `exporter-${signal}-otlp-http`),
].map((name) => `@opentelemetry/${name}`);

/** The context of a record's span. Records do not contain the sampling decision, so the flag is not set. */
function contextOf({ otel }: DiagnosticRecord): Context {
  const { trace_id: traceId, span_id: spanId } = otel;
  if (traceId === null || spanId === null) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags: TraceFlags.NONE });
}

/** Attributes of a log record can't be null. */
function logAttributes(record: DiagnosticRecord, paths: DiagnosticPaths): Attributes {
  const known = Object.entries(diagnosticSummary(record, paths)).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([name, value]) => [name, value ?? undefined]));
}

function emit({ logging }: Exporters, record: DiagnosticRecord, paths: DiagnosticPaths): void {
  logging?.getLogger('pith', VERSION).emit({
    eventName: 'retrieval.diagnostic',
    severityNumber: INFO,
    severityText: 'INFO',
    body: `retrieval diagnostic ${record.diagnostic_id}`,
    attributes: logAttributes(record, paths),
    context: contextOf(record),
  });
}

/** Loads the SDK and registers it with the API. @returns null if it can't be loaded */
async function open({ config, metrics, warn, now, steady }: TelemetryOptions): Promise<Exporters | null> {
  diag.setLogger(warnSeldom(warn, steady), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  try {
    const registry = metrics && (() => metrics.registry());
    const exporters = await openExporters({ config, registry, now });
    if (exporters.tracing) trace.setGlobalTracerProvider(exporters.tracing);
    return exporters;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    warn(
      `telemetry: nothing is sent because the OpenTelemetry SDK can't be loaded (${why.split('\n')[0]}). ` +
        `Install it: ${installCommand(['prom-client', ...SDK])}; or unset OTEL_EXPORTER_OTLP_ENDPOINT.`,
    );
    return null;
  }
}

/**
 * Begins to send traces, metrics and logs to the configured collector. Without one, the SDK is not loaded.
 * If the collector is down, calls are unaffected: batches wait in bounded queues, then are dropped with a warning.
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
      const sent = opening.then((exporters) => exporters?.shutdown());
      await Promise.race([sent, delay(limitMs, undefined, { ref: false })]);
      trace.disable();
      diag.disable();
    },
  };
}
