import { LatencyHistogram } from '../../../../src/admin/facts/call-history.js';

function histogramOf(...times: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram();
  for (const ms of times) histogram.add(ms);
  return histogram;
}

describe('LatencyHistogram', () => {
  it('has no quantile without values', () => {
    expect(histogramOf().quantile(0.5)).toBeNull();
  });

  it.each([0.2, 1, 3.7, 12, 99, 480, 2_500, 61_000])('reports %d ms with an error below 10%', (ms) => {
    const told = histogramOf(ms).quantile(0.5) ?? 0;
    expect(Math.abs(told / ms - 1)).toBeLessThan(0.1);
  });

  it.each([
    [0.5, 10],
    [0.95, 1_000],
    [1, 1_000],
  ])('puts the quantile %d near %d ms', (share, ms) => {
    const told = histogramOf(...Array.from({ length: 18 }, () => 10), 1_000, 1_000).quantile(share) ?? 0;
    expect(Math.abs(told / ms - 1)).toBeLessThan(0.1);
  });

  it('counts values outside its range in the first and the last bin', () => {
    expect(histogramOf(0).quantile(1)).toBe(0.136);
    expect(histogramOf(10 ** 9).quantile(1)).toBe(120_000);
  });

  it('contains the values of both histograms after a merge', () => {
    const histogram = histogramOf(10, 10, 10);
    histogram.merge(histogramOf(1_000));
    expect({ count: histogram.count, p50: histogram.quantile(0.5) }).toEqual({ count: 4, p50: 10.4 });
  });
});
