// src/diagnostics: what a retrieval did and why something was not found: records, files, reports; diagnostics.get
import { Module } from '@nestjs/common';
import { DiagnosticsConfig } from '../config/settings/diagnostics.config.js';
import { SectionIndex } from '../core/ports/section-index.port.js';
import { ScopeModule } from '../scope/scope.module.js';
import { ScopeService } from '../scope/scope.service.js';
import { DiagnosticArchive } from './archive/diagnostic-archive.js';
import { ScopedArchive } from './archive/scoped-archive.js';
import { DiagnosticResource } from './diagnostic.resource.js';
import { DiagnosticsService } from './diagnostics.service.js';
import { GetDiagnosticTool } from './get-diagnostic.tool.js';

export const DIAGNOSTICS_TOOLS = [GetDiagnosticTool];

/** Records of retrievals, for operators. */
@Module({
  imports: [ScopeModule],
  controllers: [...DIAGNOSTICS_TOOLS, DiagnosticResource],
  providers: [
    {
      provide: DiagnosticArchive,
      useFactory: ({ dir }: DiagnosticsConfig) => new DiagnosticArchive(dir),
      inject: [DiagnosticsConfig],
    },
    {
      provide: ScopedArchive,
      useFactory: (archive: DiagnosticArchive, scopes: ScopeService, index: SectionIndex) =>
        new ScopedArchive(archive, () => scopes.forOperators(Date.now()), index),
      inject: [DiagnosticArchive, ScopeService, SectionIndex],
    },
    DiagnosticsService,
  ],
  exports: [DiagnosticArchive, ScopedArchive],
})
export class DiagnosticsModule {}
