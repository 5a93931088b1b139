import { Logger, Module } from '@nestjs/common';
import type { OnApplicationBootstrap } from '@nestjs/common';
import { removeOldDiagnostics } from './archive/remove-old-diagnostics.js';
import { DiagnosticArchive } from './archive/diagnostic-archive.js';
import { DiagnosticResource } from './diagnostic.resource.js';
import { DiagnosticsConfig } from '../config/settings/diagnostics.config.js';
import { DiagnosticsService } from './diagnostics.service.js';
import { GetDiagnosticTool } from './get-diagnostic.tool.js';

export const DIAGNOSTICS_TOOLS = [GetDiagnosticTool];

/** Deleting old files must not delay anything: it begins after the start, and ends early (ms). */
const RETENTION_LIMIT_MS = 2_000;

/** Records of retrievals, for operators. */
@Module({
  controllers: [...DIAGNOSTICS_TOOLS, DiagnosticResource],
  providers: [
    {
      provide: DiagnosticArchive,
      useFactory: ({ dir }: DiagnosticsConfig) => new DiagnosticArchive(dir),
      inject: [DiagnosticsConfig],
    },
    DiagnosticsService,
  ],
  exports: [DiagnosticArchive],
})
export class DiagnosticsModule implements OnApplicationBootstrap {
  private readonly logger = new Logger('diagnostics');

  constructor(private readonly config: DiagnosticsConfig) {}

  onApplicationBootstrap(): void {
    const { dir: folder, retentionDays } = this.config;
    const retention = { folder, retentionDays, now: Date.now, timeLimitMs: RETENTION_LIMIT_MS };
    setImmediate(() => {
      removeOldDiagnostics(retention).catch((error: unknown) =>
        this.logger.warn(`old diagnostics were not deleted: ${String(error)}`),
      );
    });
  }
}
