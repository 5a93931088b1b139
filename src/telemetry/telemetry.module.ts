// src/telemetry: spans, metrics and OpenTelemetry export of finished calls
import {
  type DynamicModule,
  type FactoryProvider,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Provider,
} from '@nestjs/common';
import { Config } from '../config/config.js';
import { DiagnosticsConfig } from '../config/settings/diagnostics.config.js';
import { TelemetryConfig } from '../config/settings/telemetry.config.js';
import { Embedder } from '../core/ports/embedder.port.js';
import { ScratchStore } from '../core/ports/scratch-store.port.js';
import { DiagnosticEmitter } from '../diagnostics/archive/diagnostic-emitter.js';
import { DiagnosticWriter } from '../diagnostics/archive/diagnostic-writer.js';
import { removeOldDiagnostics } from '../diagnostics/archive/remove-old-diagnostics.js';
import { recordFacts } from '../diagnostics/record/build-record.js';
import { CallWatch } from '../mcp/pipeline/call-watch.js';
import { Serving } from '../mcp/serving.js';
import { Surface } from '../mcp/surface/surface.js';
import { CallMetrics } from './call-metrics.js';
import { startCallSpan } from './call-spans.js';
import { diagnosticLogLine } from './diagnostic-log-line.js';
import { startTelemetry, Telemetry } from './start-telemetry.js';
import { type CallObserver, CallObservers, watchCalls } from './watch-calls.js';

/** How long the start waits for the SDK of a collector (ms). After that, calls are served without spans. */
const START_MS = 1_000;

/** Deleting old files must not delay anything: it begins after the start, and ends early (ms). */
const RETENTION_LIMIT_MS = 2_000;

const logger = new Logger('diagnostics');

/** Metrics are counted if somebody can read them: a collector, or the admin console, which adds an observer. */
function joinObservers(
  { otlpEndpoint, isDisabled }: TelemetryConfig,
  metrics: CallMetrics,
  ...added: readonly CallObserver[]
): CallObservers {
  const isRead = (otlpEndpoint !== '' && !isDisabled) || added.length > 0;
  return new CallObservers(isRead ? [metrics, ...added] : []);
}

function openTelemetry(config: TelemetryConfig, metrics: CallMetrics): Telemetry {
  const warn = (message: string): void => logger.warn(message);
  return startTelemetry({ config, metrics, warn, now: Date.now });
}

const openWriter = ({ dir: folder }: DiagnosticsConfig, telemetry: Telemetry): DiagnosticWriter =>
  new DiagnosticWriter({
    folder,
    onWritten: (record, paths) => {
      logger.log(diagnosticLogLine(record, paths));
      telemetry.log(record, paths);
    },
    onFailure: (error) => logger.warn(`a diagnostic could not be written: ${String(error)}`),
  });

/** Null if nothing about calls may be written. */
function openEmitter(config: Config, embedder: Embedder, writer: DiagnosticWriter): DiagnosticEmitter | null {
  if (config.server.noLog) return null;
  const { diagnostics, models } = config;
  const facts = recordFacts(config, {
    embedder: models.embedder === 'none' ? null : embedder.profile.name,
    storesText: diagnostics.storeQueryText,
  });
  return new DiagnosticEmitter({ config: diagnostics, facts, writer, random: Math.random });
}

const openWatch = (emitter: DiagnosticEmitter | null, { all: observers }: CallObservers): CallWatch =>
  watchCalls({
    emitter,
    startSpan: startCallSpan,
    observers,
    onFailure: (error) => logger.error(`a call could not be recorded: ${String(error)}`),
  });

function removeOld({ dir: folder, retentionDays }: DiagnosticsConfig): void {
  const retention = { folder, retentionDays, now: Date.now, timeLimitMs: RETENTION_LIMIT_MS };
  setImmediate(() => {
    removeOldDiagnostics(retention).catch((error: unknown) =>
      logger.warn(`old diagnostics were not deleted: ${String(error)}`),
    );
  });
}

/** Adds the state of the diagnostics writer and of scratch to the metrics, if metrics are counted. */
@Injectable()
class Gauges implements OnApplicationBootstrap {
  constructor(
    private readonly observers: CallObservers,
    private readonly metrics: CallMetrics,
    private readonly writer: DiagnosticWriter,
    private readonly scratch: ScratchStore,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.observers.all.includes(this.metrics)) return;
    this.metrics.watchDiagnostics(() => this.writer.counters());
    this.metrics.watchScratch(() => this.scratch.counters());
  }
}

const OBSERVED: Provider[] = [
  {
    provide: CallMetrics,
    inject: [Surface],
    useFactory: ({ tools }: Surface) => new CallMetrics(tools.keys()),
  },
  { provide: DiagnosticWriter, inject: [DiagnosticsConfig, Telemetry], useFactory: openWriter },
  { provide: CallWatch, inject: [DiagnosticEmitter, CallObservers], useFactory: openWatch },
];

/** Observers of calls: diagnostics, spans, metrics and the log. */
@Module({
  providers: [
    ...OBSERVED,
    { provide: Telemetry, inject: [TelemetryConfig, CallMetrics], useFactory: openTelemetry },
    { provide: DiagnosticEmitter, inject: [Config, Embedder, DiagnosticWriter], useFactory: openEmitter },
    Gauges,
  ],
  exports: OBSERVED,
})
export class TelemetryModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly writer: DiagnosticWriter,
    private readonly serving: Serving,
    private readonly config: DiagnosticsConfig,
  ) {}

  /** @param added  observers of other modules */
  static register(added: readonly FactoryProvider<CallObserver>[] = []): DynamicModule {
    const inject = [TelemetryConfig, CallMetrics, ...added.map(({ provide }) => provide)];
    return {
      module: TelemetryModule,
      providers: [...added, { provide: CallObservers, inject, useFactory: joinObservers }],
      exports: added.map(({ provide }) => provide),
    };
  }

  /** Waits until spans are recorded, so that the first calls are traced too. Without a collector there is no wait. */
  async onApplicationBootstrap(): Promise<void> {
    removeOld(this.config);
    const over = new Promise<void>((resolve) => setTimeout(resolve, START_MS).unref());
    await Promise.race([this.telemetry.started, over]);
  }

  /** Writes and sends what is left. Nest calls this when all calls have ended, and before it closes the engines. */
  async onApplicationShutdown(): Promise<void> {
    const { flushMs } = this.serving;
    // The last call is recorded one turn after its answer.
    await new Promise((resolve) => setImmediate(resolve));
    const over = new Promise<void>((resolve) => setTimeout(resolve, flushMs).unref());
    // Written diagnostics are also sent, so writing comes first.
    await Promise.race([this.writer.flush().then(() => this.telemetry.shutdown(flushMs)), over]);
  }
}
