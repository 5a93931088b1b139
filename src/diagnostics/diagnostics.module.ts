// src/diagnostics: what a retrieval did and why something was not found: records, files, reports; diagnostics.get
import { Module } from '@nestjs/common';
import { DiagnosticsConfig } from '../config/settings/diagnostics.config.js';
import { DiagnosticArchive } from './archive/diagnostic-archive.js';
import { DiagnosticResource } from './diagnostic.resource.js';
import { DiagnosticsService } from './diagnostics.service.js';
import { GetDiagnosticTool } from './get-diagnostic.tool.js';

export const DIAGNOSTICS_TOOLS = [GetDiagnosticTool];

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
export class DiagnosticsModule {}
