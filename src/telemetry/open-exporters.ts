import { randomUUID } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { type HrTime, type TracerProvider, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type { LoggerProvider } from '@opentelemetry/sdk-logs';
import type {
  CollectionResult,
  DataPoint,
  Histogram,
  MetricData,
  MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';
import type { TelemetryConfig } from '../config/settings/telemetry.config.js';
import { rowsByKey } from '../core/collections/group-rows.js';
import { VERSION } from '../core/package-facts.js';

/** OpenTelemetry's SDK for metrics, once it is loaded. */
type MetricsSdk = typeof import('@opentelemetry/sdk-metrics');

type PromMetric = MetricObjectWithValues<MetricValueWithName<string>>;
type Labels = PromMetric['values'][number]['labels'];

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

interface ProducerOptions {
  readonly sdk: MetricsSdk;
  readonly registry: () => Promise<Registry>;
  readonly resource: Resource;
  readonly scope: { readonly name: string; readonly version: string };
  /** Milliseconds since the epoch; so is `startedAt`, when counting began. */
  readonly now: () => number;
  readonly startedAt: number;
}

const toHrTime = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)];

/** UCUM unit, from the name's suffix according to Prometheus' conventions. */
function unitOf(name: string): string {
  const base = name.replace(/_total$/, '');
  if (base.endsWith('_seconds')) return 's';
  return base.endsWith('_bytes') ? 'By' : '';
}

const withoutBound = ({ le: _bound, ...labels }: Labels): Labels => labels;

/** Rows of one series: `_bucket` rows by bound, the last one unbounded, then `_sum` and `_count`. */
function toHistogram(name: string, rows: PromMetric['values']): Histogram {
  const buckets = rows.filter(({ metricName }) => metricName === `${name}_bucket`);
  const valueOf = (suffix: string): number =>
    rows.find(({ metricName }) => metricName === `${name}${suffix}`)?.value ?? 0;
  return {
    buckets: {
      boundaries: buckets.slice(0, -1).map(({ labels }) => Number(labels['le'])),
      // Prometheus counts values below a bound, OpenTelemetry those between two bounds.
      counts: buckets.map(({ value }, i) => value - (buckets[i - 1]?.value ?? 0)),
    },
    sum: valueOf('_sum'),
    count: valueOf('_count'),
  };
}

function histogramPoints({ name, values }: PromMetric, times: Times): DataPoint<Histogram>[] {
  const series = rowsByKey(values, ({ labels }) => JSON.stringify(withoutBound(labels)));
  return [...series.values()].map((rows) => ({
    ...times,
    attributes: withoutBound(rows[0]?.labels ?? {}),
    value: toHistogram(name, rows),
  }));
}

function toMetricData({ sdk }: ProducerOptions, metric: PromMetric, times: Times): MetricData {
  const { name, help, values } = metric;
  const base = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
  };
  const { HISTOGRAM, SUM, GAUGE } = sdk.DataPointType;
  // The client's types declare a numeric enum, but it returns strings.
  const type = String(metric.type);
  if (type === 'histogram')
    return { ...base, dataPointType: HISTOGRAM, dataPoints: histogramPoints(metric, times) };
  const dataPoints = values.map(({ labels, value }) => ({ ...times, attributes: labels, value }));
  if (type === 'counter') return { ...base, dataPointType: SUM, isMonotonic: true, dataPoints };
  return { ...base, dataPointType: GAUGE, dataPoints };
}

/** Exports the Prometheus series to OpenTelemetry under the same names, so that nothing is counted twice. */
export class PrometheusProducer implements MetricProducer {
  private readonly startTime: HrTime;

  constructor(private readonly options: ProducerOptions) {
    this.startTime = toHrTime(options.startedAt);
  }

  async collect(): Promise<CollectionResult> {
    const { registry, resource, scope, now } = this.options;
    const times = { startTime: this.startTime, endTime: toHrTime(now()) };
    const metrics = await (await registry()).getMetricsAsJSON();
    const data = metrics
      .map((metric) => toMetricData(this.options, metric, times))
      .filter(({ dataPoints }) => dataPoints.length > 0);
    return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics: data }] }, errors: [] };
  }
}

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
