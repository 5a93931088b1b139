import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import type { TracerProvider } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { LoggerProvider } from '@opentelemetry/sdk-logs';
import type { Registry } from 'prom-client';
import type { TelemetryConfig } from '../config/settings/telemetry.config.js';
import { VERSION } from '../core/package-facts.js';
import { type ProducerOptions, PrometheusProducer } from './prometheus-producer.js';

interface ExporterOptions {
  readonly config: Pick<TelemetryConfig, 'otlpEndpoint' | 'serviceName'>;
  readonly registry: (() => Promise<Registry>) | null;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const SIGNALS = ['TRACES', 'LOGS', 'METRICS'] as const;
type Signal = (typeof SIGNALS)[number];

/** The exporters; null for a disabled signal. */
export interface Exporters {
  readonly tracing: TracerProvider | null;
  readonly logging: LoggerProvider | null;
  readonly shutdown: () => Promise<void>;
}

type Target = { readonly url?: string };

/** The target of a signal; null if `OTEL_…_EXPORTER=none` disables it. The SDK reads its other variables itself. */
async function targetOf(signal: Signal, endpoint: string): Promise<Target | null> {
  const { getStringFromEnv } = await import('@opentelemetry/core');
  if (getStringFromEnv(`OTEL_${signal}_EXPORTER`) === 'none') return null;
  // The SDK uses a signal's own URL as it is; otherwise the signal's path is appended to our URL.
  if (getStringFromEnv(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`)) return {};
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

async function openTraces(target: Target, resource: Resource) {
  const { BasicTracerProvider, BatchSpanProcessor } = await import('@opentelemetry/sdk-trace-base');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const processor = new BatchSpanProcessor(new OTLPTraceExporter(target));
  return new BasicTracerProvider({ resource, spanProcessors: [processor] });
}

async function openLogs(target: Target, resource: Resource) {
  const { LoggerProvider, BatchLogRecordProcessor } = await import('@opentelemetry/sdk-logs');
  const { OTLPLogExporter } = await import('@opentelemetry/exporter-logs-otlp-http');
  const processor = new BatchLogRecordProcessor({ exporter: new OTLPLogExporter(target) });
  return new LoggerProvider({ resource, processors: [processor] });
}

type MetricOptions = Pick<ProducerOptions, 'registry' | 'resource' | 'now'>;

async function openMetrics(target: Target, options: MetricOptions) {
  const { getNumberFromEnv } = await import('@opentelemetry/core');
  const sdk = await import('@opentelemetry/sdk-metrics');
  const { OTLPMetricExporter } = await import('@opentelemetry/exporter-metrics-otlp-http');
  const scope = { name: 'pith', version: VERSION };
  const producer = new PrometheusProducer({ sdk, scope, startedAt: performance.timeOrigin, ...options });
  const intervalMs = getNumberFromEnv('OTEL_METRIC_EXPORT_INTERVAL');
  const reader = new sdk.PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(target),
    metricProducers: [producer],
    ...(intervalMs === undefined ? {} : { exportIntervalMillis: intervalMs }),
  });
  return new sdk.MeterProvider({ resource: options.resource, readers: [reader] });
}

/** Loads OpenTelemetry's SDK and starts exporting. @throws if its packages are not installed */
export async function openExporters({ config, registry, now }: ExporterOptions): Promise<Exporters> {
  const resource = await describeService(config.serviceName);
  const [traces, logs, metrics] = await Promise.all(
    SIGNALS.map((signal) => targetOf(signal, config.otlpEndpoint)),
  );
  const tracing = traces ? await openTraces(traces, resource) : null;
  const logging = logs ? await openLogs(logs, resource) : null;
  const metering = registry && metrics ? await openMetrics(metrics, { registry, resource, now }) : null;
  return {
    tracing,
    logging,
    shutdown: async () => {
      await Promise.allSettled([tracing?.shutdown(), logging?.shutdown(), metering?.shutdown()]);
    },
  };
}
