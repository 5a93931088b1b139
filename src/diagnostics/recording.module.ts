import { opendir, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Logger, Module, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { DiagnosticsConfig } from '../config/settings/diagnostics.config.js';
import { Embedder } from '../core/ports/embedder.port.js';
import { type Clock, SYSTEM_CLOCK } from '../core/turns/clock.js';
import { Serving } from '../mcp/serving.js';
import { daysIn } from './archive/day-folders.js';
import { DiagnosticEmitter } from './archive/diagnostic-emitter.js';
import { diagnosticLogLine } from './archive/diagnostic-log-line.js';
import { isOurs } from './archive/diagnostic-paths.js';
import { DiagnosticWriter } from './archive/diagnostic-writer.js';
import { recordFacts } from './record/build-record.js';

interface RetentionOptions extends Clock {
  readonly folder: string;
  /** Number of days to keep before today; 0 keeps all. */
  readonly retentionDays: number;
  /** Time limit; the next start continues. */
  readonly timeLimitMs: number;
}

const DAY_MS = 86_400_000;

/** True if one entry was removed; false if it is already gone or removing it is not permitted. */
const attempt = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

async function emptyFolder(path: string, isTimeUp: () => boolean): Promise<number> {
  let removed = 0;
  for await (const entry of await opendir(path)) {
    if (isTimeUp()) return removed;
    // Links are not followed.
    if (!entry.isFile() || !isOurs(entry.name)) continue;
    if (await attempt(unlink(join(path, entry.name)))) removed++;
  }
  // A folder with other files stays.
  await attempt(rmdir(path));
  return removed;
}

/**
 * Removes the diagnostics of old days, oldest first: files that a writer made in folders named by a day, then empty
 * folders. Never fails; entries that can't be removed stay.
 */
export async function removeOldDiagnostics(options: RetentionOptions): Promise<{ removed: number }> {
  const { folder, retentionDays, now, steady, timeLimitMs } = options;
  const start = steady();
  const isTimeUp = (): boolean => steady() - start >= timeLimitMs;
  const oldestKept = new Date(now() - retentionDays * DAY_MS).toISOString().slice(0, 10);
  let removed = 0;
  if (retentionDays === 0) return { removed };
  const days = await daysIn(folder).catch(() => []);
  for (const day of days.reverse()) {
    if (day >= oldestKept || isTimeUp()) break;
    removed += await emptyFolder(join(folder, day), isTimeUp).catch(() => 0);
  }
  return { removed };
}

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
