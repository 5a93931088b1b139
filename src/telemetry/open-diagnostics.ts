import { Logger } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { recordFacts } from '../diagnostics/record/build-record.js';
import { DiagnosticEmitter } from '../diagnostics/archive/diagnostic-emitter.js';
import type { DiagnosticPaths } from '../diagnostics/archive/diagnostic-paths.js';
import type { DiagnosticRecord } from '../diagnostics/record/diagnostic-record.js';
import { DiagnosticWriter } from '../diagnostics/archive/diagnostic-writer.js';
import { removeOldDiagnostics } from '../diagnostics/archive/remove-old-diagnostics.js';
import type { CallWatch, FinishedCall } from '../mcp/pipeline/call-watch.js';
import { embedderName } from '../engines/open-models.js';
import { startCallSpan } from './call-spans.js';
import type { CallMetrics } from './call-metrics.js';
import { diagnosticLogLine } from './diagnostic-log-line.js';
import { startTelemetry } from './start-telemetry.js';
import { watchCalls } from './watch-calls.js';

/** What looks on at every call of a process. */
export interface Diagnostics {
  readonly watch: CallWatch;
  readonly writer: DiagnosticWriter;
  /** Resolves once spans are recorded, or can't be. */
  readonly started: Promise<void>;
  /** Writes and sends what is left, and gives up after so many milliseconds. */
  readonly close: (limitMs: number) => Promise<void>;
}

/** A collector's SDK is loaded within this time, or calls go on without their spans. */
const START_MS = 1_000;

/** Waits until spans are recorded, so that none of the first calls is missed; at once where nothing is collected. */
export async function soonStarted(started: Promise<void>): Promise<void> {
  await Promise.race([started, new Promise<void>((resolve) => setTimeout(resolve, START_MS).unref())]);
}

/** Removing old files must not hold up anything: it begins late, and ends early. */
const RETENTION_LIMIT_MS = 2_000;

function emitterOf(config: Config, writer: DiagnosticWriter): DiagnosticEmitter | null {
  if (config.server.noLog) return null;
  const { diagnostics } = config;
  const facts = recordFacts(config, {
    embedder: embedderName(config),
    storesText: diagnostics.storeQueryText,
  });
  return new DiagnosticEmitter({ config: diagnostics, facts, writer, random: Math.random });
}

function removeOld({ dir: folder, retentionDays }: Config['diagnostics'], logger: Logger): void {
  const look = { folder, retentionDays, now: Date.now, timeLimitMs: RETENTION_LIMIT_MS };
  setImmediate(() => {
    removeOldDiagnostics(look).catch((error: unknown) =>
      logger.warn(`old diagnostics were not deleted: ${String(error)}`),
    );
  });
}

/**
 * Makes what looks on at calls: diagnostics, spans and metrics.
 * @param metrics  null where nobody asks for them
 * @param observers  further ones that are told of every call
 */
export function openDiagnostics(
  config: Config,
  metrics: CallMetrics | null,
  observers: readonly ((finished: FinishedCall) => void)[] = [],
): Diagnostics {
  const logger = new Logger('diagnostics');
  const folder = config.diagnostics.dir;
  const onFailure = (error: unknown): void =>
    logger.warn(`a diagnostic could not be written: ${String(error)}`);
  const warn = (message: string): void => logger.warn(message);
  const telemetry = startTelemetry({ config: config.telemetry, metrics, warn, now: Date.now });
  const onWritten = (record: DiagnosticRecord, paths: DiagnosticPaths): void => {
    logger.log(diagnosticLogLine(record, paths));
    telemetry.log(record, paths);
  };
  const writer = new DiagnosticWriter({ folder, onWritten, onFailure });
  metrics?.watchDiagnostics(() => writer.counters());
  removeOld(config.diagnostics, logger);
  const watch = watchCalls({
    emitter: emitterOf(config, writer),
    startSpan: startCallSpan,
    observers: [...(metrics ? [(finished: FinishedCall) => metrics.observe(finished)] : []), ...observers],
    onFailure: (error) => logger.error(`a call could not be recorded: ${String(error)}`),
  });
  return { watch, writer, started: telemetry.started, close: (limitMs) => close(writer, telemetry, limitMs) };
}

async function close(
  writer: DiagnosticWriter,
  telemetry: { readonly shutdown: (limitMs: number) => Promise<void> },
  limitMs: number,
): Promise<void> {
  // What the last call did is told in the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  const over = new Promise<void>((resolve) => setTimeout(resolve, limitMs).unref());
  // What is written is logged, too, and so comes first.
  await Promise.race([writer.flush().then(() => telemetry.shutdown(limitMs)), over]);
}
