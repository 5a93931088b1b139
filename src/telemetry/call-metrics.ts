import type { Registry } from 'prom-client';
import { installCommand } from '../config/required-packages.js';
import { BackendUnavailableError } from '../core/errors.js';
import type { ScratchCounters } from '../core/ports/scratch-store.port.js';
import type { DiagnosticCounters } from '../diagnostics/archive/diagnostic-writer.js';
import type { FinishedCall } from '../mcp/pipeline/call-watch.js';
import { CallSeries, type PromClient } from './call-series.js';
import { MetricLabels } from './metric-labels.js';
import { readDiagnostics, readProcess, readScratch } from './read-gauges.js';

function metricsMissing(cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError('prom-client, which metrics need, is not installed.', {
    reason: 'package_missing',
    hint: `Install it: ${installCommand(['prom-client'])}`,
    cause,
  });
}

interface Opened {
  readonly prom: PromClient;
  readonly registry: Registry;
  readonly series: CallSeries;
}

/**
 * Metrics of all calls of a process, for `/metrics` and for OTLP. prom-client is loaded on first use; a server that
 * offers neither creates no `CallMetrics` and never loads it.
 */
export class CallMetrics {
  /** Content type of `text`: Prometheus' exposition format. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  private opening: Promise<Opened> | null = null;
  private opened: Opened | null = null;

  /** @param tools  names of all tools: the values of the label `tool` */
  constructor(private readonly tools: Iterable<string>) {}

  /** Counts a call. Takes microseconds, never throws. */
  observe(finished: FinishedCall): void {
    this.soon(({ series }) => series.add(finished));
  }

  /** Sets the passage store. */
  watchScratch(counters: () => ScratchCounters): void {
    this.soon(({ prom, registry }) => readScratch(prom, registry, counters));
  }

  /** Sets the diagnostics writer. */
  watchDiagnostics(counters: () => DiagnosticCounters): void {
    this.soon(({ prom, registry }) => readDiagnostics(prom, registry, counters));
  }

  /** All metrics in Prometheus' format. */
  async text(): Promise<string> {
    return (await this.registry()).metrics();
  }

  /** The registry, for exporters of the same series. */
  async registry(): Promise<Registry> {
    return (await this.ready()).registry;
  }

  /** Runs at once if loaded; otherwise later, in the order of the calls. */
  private soon(run: (opened: Opened) => void): void {
    if (this.opened) return run(this.opened);
    // If loading fails, reading the metrics reports it.
    void this.ready().then(run, () => undefined);
  }

  private ready(): Promise<Opened> {
    this.opening ??= this.load();
    return this.opening;
  }

  private async load(): Promise<Opened> {
    const prom = await import('prom-client').catch((cause: unknown) => {
      throw metricsMissing(cause);
    });
    const registry = new prom.Registry();
    const series = new CallSeries(prom, registry, new MetricLabels(this.tools));
    readProcess(prom, registry);
    this.opened = { prom, registry, series };
    return this.opened;
  }
}
