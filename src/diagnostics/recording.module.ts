import { Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { DiagnosticsConfig } from '../config/settings/diagnostics.config.js';
import { Embedder } from '../core/ports/embedder.port.js';
import { SYSTEM_CLOCK } from '../core/turns/clock.js';
import { Serving } from '../mcp/serving.js';
import { DiagnosticEmitter } from './archive/diagnostic-emitter.js';
import { diagnosticLogLine } from './archive/diagnostic-log-line.js';
import { DiagnosticWriter } from './archive/diagnostic-writer.js';
import { removeOldDiagnostics } from './archive/remove-old-diagnostics.js';
import { recordFacts } from './record/build-record.js';

/** Time limit for removing old files (ms), so that it delays nothing. */
const RETENTION_LIMIT_MS = 2_000;

const logger = new Logger('diagnostics');

function openWriter({ dir: folder }: DiagnosticsConfig): DiagnosticWriter {
  const onFailure = (error: unknown): void =>
    logger.warn(`a diagnostic could not be written: ${String(error)}`);
  const writer = new DiagnosticWriter({ folder, onFailure });
  writer.onWritten((record, paths) => logger.log(diagnosticLogLine(record, paths)));
  return writer;
}

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

/** Writes diagnostics and removes old ones. Only servers import it; the other commands write nothing about calls. */
@Module({
  providers: [
    { provide: DiagnosticWriter, inject: [DiagnosticsConfig], useFactory: openWriter },
    { provide: DiagnosticEmitter, inject: [Config, Embedder, DiagnosticWriter], useFactory: openEmitter },
  ],
  exports: [DiagnosticWriter, DiagnosticEmitter],
})
export class RecordingModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    private readonly writer: DiagnosticWriter,
    private readonly config: DiagnosticsConfig,
    private readonly serving: Serving,
  ) {}

  onApplicationBootstrap(): void {
    const { dir: folder, retentionDays } = this.config;
    const retention = { folder, retentionDays, ...SYSTEM_CLOCK, timeLimitMs: RETENTION_LIMIT_MS };
    setImmediate(() => {
      removeOldDiagnostics(retention).catch((error: unknown) =>
        logger.warn(`old diagnostics were not deleted: ${String(error)}`),
      );
    });
  }

  /** Nest calls this when all calls have ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.writer.close(this.serving.flushMs);
  }
}
