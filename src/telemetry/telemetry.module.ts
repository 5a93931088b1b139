// src/telemetry: spans, metrics and OpenTelemetry export of finished calls
import { setTimeout as delay } from 'node:timers/promises';
import {
  type DynamicModule,
  type FactoryProvider,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { TelemetryConfig } from '../config/settings/telemetry.config.js';
import { ScratchStore } from '../core/ports/scratch-store.port.js';
import { SYSTEM_CLOCK } from '../core/turns/clock.js';
import { DiagnosticEmitter } from '../diagnostics/archive/diagnostic-emitter.js';
import { DiagnosticWriter } from '../diagnostics/archive/diagnostic-writer.js';
import { RecordingModule } from '../diagnostics/recording.module.js';
import { type CallObserver, CallWatch } from '../mcp/pipeline/call-watch.js';
import { Serving } from '../mcp/serving.js';
import { Surface } from '../mcp/surface/surface.js';
import { CallMetrics } from './call-metrics.js';
import { startCallSpan } from './call-spans.js';
import { startTelemetry, Telemetry } from './start-telemetry.js';
import { CallObservers, watchCalls } from './watch-calls.js';

/** Maximum time that the start waits for OpenTelemetry's SDK (ms). Later calls are served without spans until then. */
const START_MS = 1_000;

const logger = new Logger('telemetry');

const openMetrics = ({ tools }: Surface, writer: DiagnosticWriter, scratch: ScratchStore): CallMetrics =>
  new CallMetrics(tools.keys(), {
    diagnostics: () => writer.counters(),
    scratch: () => scratch.counters(),
  });

/** True if spans, metrics and logs are sent to a collector. */
const isExported = ({ otlpEndpoint, isDisabled }: TelemetryConfig): boolean =>
  otlpEndpoint !== '' && !isDisabled;

/** Metrics are counted if they can be read: by a collector, or by an observer. */
const joinObservers =
  (readsMetrics: boolean) =>
  (
    config: TelemetryConfig,
    metrics: CallMetrics,
    ...added: readonly (CallObserver | null)[]
  ): CallObservers => {
    const isRead = readsMetrics || isExported(config);
    const observers = added.filter((observer) => observer !== null);
    return new CallObservers(isRead ? [metrics, ...observers] : observers);
  };

function openTelemetry(config: TelemetryConfig, metrics: CallMetrics): Telemetry {
  const warn = (message: string): void => logger.warn(message);
  return startTelemetry({ config, metrics, warn, ...SYSTEM_CLOCK });
}

const openWatch = (
  config: TelemetryConfig,
  emitter: DiagnosticEmitter | null,
  { all: observers }: CallObservers,
): CallWatch =>
  watchCalls({
    emitter,
    startSpan: isExported(config) ? startCallSpan : null,
    observers,
    onFailure: (error) => logger.error(`a call could not be recorded: ${String(error)}`),
  });

/** Loads prom-client during the start if metrics are counted, so that no call waits for it. */
@Injectable()
class MetricsStart implements OnApplicationBootstrap {
  constructor(
    private readonly observers: CallObservers,
    private readonly metrics: CallMetrics,
  ) {}

  onApplicationBootstrap(): void {
    if (this.observers.all.includes(this.metrics)) this.metrics.open();
  }
}

/** Observers of calls: spans, metrics and their export; diagnostics from the module below. */
@Module({
  imports: [RecordingModule],
  providers: [
    { provide: CallMetrics, inject: [Surface, DiagnosticWriter, ScratchStore], useFactory: openMetrics },
    {
      provide: CallWatch,
      inject: [TelemetryConfig, DiagnosticEmitter, CallObservers],
      useFactory: openWatch,
    },
    { provide: Telemetry, inject: [TelemetryConfig, CallMetrics], useFactory: openTelemetry },
    MetricsStart,
  ],
  exports: [RecordingModule, CallMetrics, CallWatch],
})
export class TelemetryModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly telemetry: Telemetry,
    private readonly writer: DiagnosticWriter,
    private readonly serving: Serving,
  ) {}

  /**
   * @param added  observers of other modules
   * @param readsMetrics  true if one of them reads the metrics, as the admin console does at `/metrics`
   */
  static register(
    added: readonly FactoryProvider<CallObserver | null>[] = [],
    readsMetrics = added.length > 0,
  ): DynamicModule {
    const inject = [TelemetryConfig, CallMetrics, ...added.map(({ provide }) => provide)];
    return {
      module: TelemetryModule,
      providers: [...added, { provide: CallObservers, inject, useFactory: joinObservers(readsMetrics) }],
      exports: added.map(({ provide }) => provide),
    };
  }

  onModuleInit(): void {
    this.writer.onWritten(this.telemetry.log);
  }

  /** Waits until spans are recorded, so that the first calls are traced too. Without a collector there is no wait. */
  async onApplicationBootstrap(): Promise<void> {
    await Promise.race([this.telemetry.started, delay(START_MS, undefined, { ref: false })]);
  }

  /** Sends what is left, before Nest closes the engines. Written diagnostics are sent too, so the writer ends first. */
  async onApplicationShutdown(): Promise<void> {
    const { flushMs } = this.serving;
    const sent = this.writer.close(flushMs).then(() => this.telemetry.shutdown(flushMs));
    await Promise.race([sent, delay(flushMs, undefined, { ref: false })]);
  }
}
