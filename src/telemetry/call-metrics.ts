import type { Registry } from 'prom-client';
import { installCommand } from '../config/required-packages.js';
import { BackendUnavailableError } from '../core/errors.js';
import type { FinishedCall } from '../mcp/pipeline/call-watch.js';
import { CallSeries } from './call-series.js';
import { type CounterSources, registerGauges } from './read-gauges.js';

interface Opened {
  readonly registry: Registry;
  readonly series: CallSeries;
}

/** Metrics of calls. prom-client is loaded on first use; a server without `/metrics` and OTLP never loads it. */
export class CallMetrics {
  /** Content type of `text`: Prometheus' exposition format. */
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8';
  private opening: Promise<Opened> | null = null;
  private opened: Opened | null = null;

  /** @param tools  names of all tools: the values of the label `tool` */
  constructor(
    private readonly tools: Iterable<string>,
    private readonly sources: CounterSources = {},
  ) {}

  /** Counts a call, at once or when prom-client is loaded. Takes microseconds, never throws. */
  observe(finished: FinishedCall): void {
    if (this.opened) return this.opened.series.add(finished);
    // If loading fails, reading the metrics reports it.
    void this.ready().then(
      ({ series }) => series.add(finished),
      () => undefined,
    );
  }

  open(): void {
    this.ready().catch(() => undefined);
  }

  async text(): Promise<string> {
    return (await this.registry()).metrics();
  }

  /** The registry, for exporters of the same series. */
  async registry(): Promise<Registry> {
    return (await this.ready()).registry;
  }

  private ready(): Promise<Opened> {
    return (this.opening ??= this.load());
  }

  private async load(): Promise<Opened> {
    const prom = await import('prom-client').catch((cause: unknown) => {
      throw new BackendUnavailableError('prom-client, which metrics need, is not installed.', {
        reason: 'package_missing',
        hint: `Install it: ${installCommand(['prom-client'])}`,
        cause,
      });
    });
    const registry = new prom.Registry();
    const series = new CallSeries(prom, registry, this.tools);
    registerGauges(prom, registry, this.sources);
    this.opened = { registry, series };
    return this.opened;
  }
}
