import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { TracerProvider } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { LoggerProvider } from '@opentelemetry/sdk-logs';
import type { Registry } from 'prom-client';
import type { TelemetryConfig } from '../config/settings/telemetry.config.js';
import { VERSION } from '../core/package-facts.js';
import { PrometheusProducer } from './prometheus-producer.js';

interface ExporterOptions {
  readonly config: Pick<TelemetryConfig, 'otlpEndpoint' | 'serviceName'>;
  /** Null without metrics. */
  readonly registry: (() => Promise<Registry>) | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

type Signal = 'TRACES' | 'METRICS' | 'LOGS';

/** The exporters; null for a disabled signal. */
export interface Exporters {
  readonly tracing: TracerProvider | null;
  readonly logging: LoggerProvider | null;
  /** Flushes and stops. */
  readonly shutdown: () => Promise<void>;
}

/** The SDK reads its own variables; there are too many to repeat. */
type ReadText = (name: string) => string | undefined;

/** `OTEL_TRACES_EXPORTER=none` and the like disable a signal. */
const isWanted = (read: ReadText, signal: Signal): boolean => read(`OTEL_${signal}_EXPORTER`) !== 'none';

/** The SDK uses a signal's own URL as it is; otherwise the signal's path is appended to our URL. */
function target(read: ReadText, signal: Signal, endpoint: string): { url?: string } {
  if (read(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)) return {};
  return { url: `${endpoint.replace(/\/+$/, '')}/v1/${signal.toLowerCase()}` };
}

/** The resource: name, version, an id of the process, and OTEL_RESOURCE_ATTRIBUTES. */
async function describeService(serviceName: string): Promise<Resource> {
  const resources = await import('@opentelemetry/resources');
  const ours = resources.resourceFromAttributes({
    'service.name': serviceName,
    'service.version': VERSION,
    'service.instance.id': randomUUID(),
  });
  const said = resources.detectResources({ detectors: [resources.envDetector] });
  return resources.defaultResource().merge(ours).merge(said);
}

async function openTraces(url: { url?: string }, resource: Resource) {
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const processor = new BatchSpanProcessor(new OTLPTraceExporter(url));
  return new BasicTracerProvider({ resource, spanProcessors: [processor] });
}

async function openLogs(url: { url?: string }, resource: Resource) {
  const { LoggerProvider, BatchLogRecordProcessor } = await import('@opentelemetry/sdk-logs');
  const { OTLPLogExporter } = await import('@opentelemetry/exporter-logs-otlp-http');
  const processor = new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(url) });
  return new LoggerProvider({ resource, processors: [processor] });
}

interface MetricOptions {
  readonly registry: () => Promise<Registry>;
  readonly resource: Resource;
  readonly now: () => number;
  readonly intervalMs: number | undefined;
}

async function openMetrics(url: { url?: string }, { registry, resource, now, intervalMs }: MetricOptions) {
  const sdk = await import('@opentelemetry/sdk-metrics');
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const scope = { name: 'pith', version: VERSION };
  const startedAt = performance.timeOrigin;
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(url),
    metricProducers: [new PrometheusProducer({ sdk, registry, resource, scope, now, startedAt })],
    ...(intervalMs === undefined ? {} : { exportIntervalMillis: intervalMs }),
  });
  return new sdk.MeterProvider({ resource, readers: [reader] });
}

/** Loads OpenTelemetry's SDK and starts exporting. @throws if its packages are not installed */
export async function openExporters({ config, registry, now }: ExporterOptions): Promise<Exporters> {
  const { getStringFromEnv, getNumberFromEnv } = await import('@opentelemetry/core');
  const resource = await describeService(config.serviceName);
  const to = (signal: Signal) => target(getStringFromEnv, signal, config.otlpEndpoint);
  const wants = (signal: Signal): boolean => isWanted(getStringFromEnv, signal);
  const intervalMs = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL');
  const tracing = wants('TRACES') ? await openTraces(to('TRACES'), resource) : null;
  const logging = wants('LOGS') ? await openLogs(to('LOGS'), resource) : null;
  const metering =
    registry && wants('METRICS')
      ? await openMetrics(to('METRICS'), { registry, resource, now, intervalMs })
      : null;
  return {
    tracing,
    logging,
    shutdown: async () => {
      await Promise.allSettled([tracing?.shutdown(), logging?.shutdown(), metering?.shutdown()]);
    },
  };
}
