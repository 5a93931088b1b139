import { performance } from 'node:perf_hooks';
import type { Registry } from 'prom-client';
import { VERSION } from '../core/package-facts.js';
import type { ScratchCounters } from '../core/ports/scratch-store.port.js';
import type { DiagnosticCounters } from '../diagnostics/archive/diagnostic-writer.js';
import type { PromClient } from './call-series.js';

/** Counters of other parts of the process. */
export interface CounterSources {
  readonly scratch?: () => ScratchCounters;
  readonly diagnostics?: () => DiagnosticCounters;
}

/** A metric whose value is read at each scrape; a counter if its name ends in `_total`. */
type Reading = readonly [name: string, help: string, read: () => number];

const scratchReadings = (counters: () => ScratchCounters): Reading[] => [
  ['pith_scratch_bytes', 'Memory used by passages.', () => counters().bytes],
  ['pith_scratch_passages', 'Stored passages.', () => counters().passages],
  ['pith_scratch_evictions_total', 'Passages evicted before they expired.', () => counters().evictions],
  ['pith_scratch_expirations_total', 'Passages that expired.', () => counters().expirations],
];

const diagnosticReadings = (counters: () => DiagnosticCounters): Reading[] => [
  ['pith_diagnostics_queued', 'Diagnostics waiting to be written.', () => counters().queued],
  ['pith_diagnostics_written_total', 'Diagnostics written.', () => counters().written],
  [
    'pith_diagnostics_dropped_total',
    'Diagnostics dropped because the queue was full.',
    () => counters().dropped,
  ],
  ['pith_diagnostics_failed_total', 'Diagnostics that could not be written.', () => counters().failed],
];

/** Reads the share of time since the last reading that the event loop was busy. */
function utilizationReader(): () => number {
  let before = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    return utilization;
  };
}

/** Cheap process metrics: prom-client's own set reads files and runs timers. */
function processReadings(): Reading[] {
  const cpuSeconds = (): number => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  };
  return [
    ['process_start_time_seconds', 'Start time of the process.', () => performance.timeOrigin / 1000],
    ['process_resident_memory_bytes', 'Resident memory.', process.memoryUsage.rss],
    ['nodejs_heap_size_used_bytes', 'Heap used by the main thread.', () => process.memoryUsage().heapUsed],
    [
      'nodejs_eventloop_utilization',
      'Share of time since the last scrape that the main thread was busy.',
      utilizationReader(),
    ],
    ['process_cpu_seconds_total', 'CPU time of all threads.', cpuSeconds],
  ];
}

function register({ Counter, Gauge }: PromClient, registers: Registry[], readings: readonly Reading[]): void {
  for (const [name, help, read] of readings) {
    if (!name.endsWith('_total')) {
      new Gauge({
        name,
        help,
        registers,
        collect() {
          this.set(read());
        },
      });
      continue;
    }
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  }
}

/** Registers the metrics of the process, of the diagnostic writer and of the passage store. */
export function registerGauges(prom: PromClient, registry: Registry, sources: CounterSources): void {
  const { diagnostics, scratch } = sources;
  register(prom, [registry], processReadings());
  const build = { name: 'pith_build_info', help: 'The running version.', registers: [registry] };
  new prom.Gauge({ ...build, labelNames: ['version'] }).set({ version: VERSION }, 1);
  if (diagnostics) register(prom, [registry], diagnosticReadings(diagnostics));
  if (scratch) register(prom, [registry], scratchReadings(scratch));
}
