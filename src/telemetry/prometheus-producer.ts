import { type HrTime, ValueType } from '@opentelemetry/api';
import type { Resource } from '@opentelemetry/resources';
import type {
  CollectionResult,
  DataPoint,
  Histogram,
  MetricData,
  MetricProducer,
} from '@opentelemetry/sdk-metrics';
import type { MetricObjectWithValues, MetricValueWithName, Registry } from 'prom-client';

/** OpenTelemetry's SDK for metrics, once it is loaded. */
type MetricsSdk = typeof import('@opentelemetry/sdk-metrics');

type PromMetric = MetricObjectWithValues<MetricValueWithName<string>>;
type Labels = PromMetric['values'][number]['labels'];

interface Times {
  readonly startTime: HrTime;
  readonly endTime: HrTime;
}

export interface ProducerOptions {
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
  const series = new Map<string, PromMetric['values']>();
  for (const row of values) {
    const key = JSON.stringify(withoutBound(row.labels));
    series.set(key, [...(series.get(key) ?? []), row]);
  }
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
