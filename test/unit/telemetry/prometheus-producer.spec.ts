import { emptyResource } from '@opentelemetry/resources';
import type { MetricData } from '@opentelemetry/sdk-metrics';
import * as sdk from '@opentelemetry/sdk-metrics';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { PrometheusProducer } from '../../../src/telemetry/open-exporters.js';

const NOW = 1_500;

describe('PrometheusProducer', () => {
  async function collected(fill: (registry: Registry) => void): Promise<MetricData[]> {
    const own = new Registry();
    fill(own);
    const producer = new PrometheusProducer({
      sdk,
      registry: () => Promise.resolve(own),
      resource: emptyResource(),
      scope: { name: 'pith', version: '1.0.0' },
      now: () => NOW,
      startedAt: 1_000,
    });
    const { resourceMetrics } = await producer.collect();
    return resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics);
  }

  const times = { startTime: [1, 0], endTime: [1, 5e8] };

  it('exports counters as cumulative sums since the start', async () => {
    const [metric] = await collected((registry) =>
      new Counter({ name: 'calls_total', help: 'Calls.', labelNames: ['tool'], registers: [registry] }).inc(
        { tool: 'kb.search' },
        3,
      ),
    );
    expect(metric).toMatchObject({
      descriptor: { name: 'calls_total', description: 'Calls.' },
      aggregationTemporality: sdk.AggregationTemporality.CUMULATIVE,
      dataPointType: sdk.DataPointType.SUM,
      isMonotonic: true,
      dataPoints: [{ ...times, attributes: { tool: 'kb.search' }, value: 3 }],
    });
  });

  it.each([
    ['memory_bytes', 'By'],
    ['age_seconds', 's'],
    ['queue', ''],
  ])('exports the gauge %s in the unit %j', async (name, unit) => {
    const [metric] = await collected((registry) =>
      new Gauge({ name, help: 'g', registers: [registry] }).set(7),
    );
    expect(metric).toMatchObject({
      descriptor: { unit },
      dataPointType: sdk.DataPointType.GAUGE,
      dataPoints: [{ attributes: {}, value: 7 }],
    });
  });

  it('exports histograms with counts between two bounds, one for each series', async () => {
    const [metric] = await collected((registry) => {
      const histogram = new Histogram({
        name: 'time_seconds',
        help: 'h',
        labelNames: ['tool'],
        buckets: [1, 2],
        registers: [registry],
      });
      for (const value of [0.5, 1.5, 1.5, 9]) histogram.observe({ tool: 'a' }, value);
      histogram.observe({ tool: 'b' }, 1);
    });
    expect(metric).toMatchObject({
      dataPointType: sdk.DataPointType.HISTOGRAM,
      dataPoints: [
        {
          attributes: { tool: 'a' },
          value: { buckets: { boundaries: [1, 2], counts: [1, 2, 1] }, sum: 12.5, count: 4 },
        },
        {
          attributes: { tool: 'b' },
          value: { buckets: { boundaries: [1, 2], counts: [1, 0, 0] }, sum: 1, count: 1 },
        },
      ],
    });
  });

  it('omits metrics without series', async () => {
    const none = await collected(
      (registry) => void new Counter({ name: 'c', help: 'c', labelNames: ['x'], registers: [registry] }),
    );
    expect(none).toEqual([]);
  });
});
