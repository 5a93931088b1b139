import { performance } from 'node:perf_hooks';
import type { Counter, Gauge, Registry } from 'prom-client';
import { VERSION } from '../core/package-facts.js';
import type { ScratchCounters } from '../core/ports/scratch-store.port.js';
import type { DiagnosticCounters } from '../diagnostics/archive/diagnostic-writer.js';
import type { PromClient } from './call-series.js';

interface Reading {
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

/** Registers gauges and counters whose values are read at each scrape. */
function readAs(
  prom: PromClient,
  registry: Registry,
  readings: { readonly gauges?: readonly Reading[]; readonly counters?: readonly Reading[] },
): void {
  const registers = [registry];
  for (const { name, help, read } of readings.gauges ?? []) {
    const gauge: Gauge = new prom.Gauge({ name, help, registers, collect: () => gauge.set(read()) });
  }
  for (const { name, help, read } of readings.counters ?? []) {
    const collect = (): void => {
      counter.reset();
      counter.inc(read());
    };
    const counter: Counter = new prom.Counter({ name, help, registers, collect });
  }
}

/** Registers the metrics of passages kept for callers. */
export function readScratch(prom: PromClient, registry: Registry, counters: () => ScratchCounters): void {
  readAs(prom, registry, {
    gauges: [
      {
        name: 'pith_scratch_bytes',
        help: 'Memory used by passages.',
        read: () => counters().bytes,
      },
      { name: 'pith_scratch_passages', help: 'Stored passages.', read: () => counters().passages },
    ],
    counters: [
      {
        name: 'pith_scratch_evictions_total',
        help: 'Passages evicted before they expired.',
        read: () => counters().evictions,
      },
      {
        name: 'pith_scratch_expirations_total',
        help: 'Passages that expired.',
        read: () => counters().expirations,
      },
    ],
  });
}

/** Registers the metrics of the diagnostic writer. */
export function readDiagnostics(
  prom: PromClient,
  registry: Registry,
  counters: () => DiagnosticCounters,
): void {
  const counter = (what: keyof DiagnosticCounters, help: string): Reading => ({
    name: `pith_diagnostics_${what}_total`,
    help,
    read: () => counters()[what],
  });
  readAs(prom, registry, {
    gauges: [
      {
        name: 'pith_diagnostics_queued',
        help: 'Diagnostics waiting to be written.',
        read: () => counters().queued,
      },
    ],
    counters: [
      counter('written', 'Diagnostics written.'),
      counter('dropped', 'Diagnostics dropped because the queue was full.'),
      counter('failed', 'Diagnostics that could not be written.'),
    ],
  });
}

/** Cheap process metrics: prom-client's own set reads files and runs timers. */
export function readProcess(prom: PromClient, registry: Registry): void {
  const cpuSeconds = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  let before = performance.eventLoopUtilization();
  const utilization = (): number => {
    const now = performance.eventLoopUtilization();
    const since = performance.eventLoopUtilization(now, before);
    before = now;
    return since.utilization;
  };
  const heap = (): number => process.memoryUsage().heapUsed;
  const startedAt = (): number => performance.timeOrigin / 1000;
  readAs(prom, registry, {
    gauges: [
      { name: 'process_start_time_seconds', help: 'Start time of the process.', read: startedAt },
      { name: 'process_resident_memory_bytes', help: 'Resident memory.', read: process.memoryUsage.rss },
      { name: 'nodejs_heap_size_used_bytes', help: 'Heap used by the main thread.', read: heap },
      {
        name: 'nodejs_eventloop_utilization',
        help: 'Share of time since the last scrape that the main thread was busy.',
        read: utilization,
      },
    ],
    counters: [{ name: 'process_cpu_seconds_total', help: 'CPU time of all threads.', read: cpuSeconds }],
  });
  const labelNames = ['version'];
  const build = { name: 'pith_build_info', help: 'The running version.', labelNames, registers: [registry] };
  new prom.Gauge(build).set({ version: VERSION }, 1);
}
