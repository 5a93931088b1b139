import { LatencyHistogram } from '../../../../src/admin/facts/latency-histogram.js';

function histogramOf(...times: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const ms of times) histogram.add(ms);
  return histogram;
}

describe('LatencyHistogram', () => {
  it('tells nothing of nothing', () => {
    expect(histogramOf().quantile(0.5)).toBeNull();
  });

  it.each([0.2, 1, 3.7, 12, 99, 480, 2_500, 61_000])('tells %d ms with at most 10% to either side', (ms) => {
    const told = histogramOf(ms).quantile(0.5) ?? 0;
    expect(Math.abs(told / ms - 1)).toBeLessThan(0.1);
  });

  it.each([
    [0.5, 10],
    [0.95, 1_000],
    [1, 1_000],
  ])('has the share %d of times at most at %d ms', (share, ms) => {
    const told = histogramOf(...Array.from({ length: 18 }, () => 10), 1_000, 1_000).quantile(share) ?? 0;
    expect(Math.abs(told / ms - 1)).toBeLessThan(0.1);
  });

  it('counts what is out of its bounds as fastest and slowest', () => {
    expect(histogramOf(0).quantile(1)).toBe(0.136);
    expect(histogramOf(10 ** 9).quantile(1)).toBe(120_000);
  });

  it('is as another one and itself together', () => {
    const histogram = histogramOf(10, 10, 10);
    histogram.merge(histogramOf(1_000));
    expect({ count: histogram.count, p50: histogram.quantile(0.5) }).toEqual({ count: 4, p50: 10.4 });
  });
});
