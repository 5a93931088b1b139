import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { DiagnosticsConfig } from '../config/settings/diagnostics.config.js';
import { SurfaceConfig } from '../config/settings/surface.config.js';
import type { Call } from '../core/call.js';
import { InvalidArgumentError, ScopeViolationError } from '../core/errors.js';
import { limitShape } from '../mcp/schema.js';
import { ScopedArchive } from './archive/scoped-archive.js';
import { dayOf } from './record/diagnostic-record.js';
import { renderDiagnostic } from './report/render-diagnostic.js';

/** The output of diagnostics.get. */
export const diagnosticOutputSchema = z.strictObject({
  diagnostic_id: z.string(),
  date: z.string(),
  markdown: z.string(),
  ...limitShape,
});
export type DiagnosticOutput = z.output<typeof diagnosticOutputSchema>;

/** A diagnostic as Markdown; `date` is `YYYY-MM-DD`, UTC. */
type ReadableDiagnostic = Pick<DiagnosticOutput, 'diagnostic_id' | 'date' | 'markdown'>;

const URI =
  /^(?<scheme>[a-z][a-z0-9+.-]*):\/\/diagnostics\/(?<date>\d{4}-\d{2}-\d{2})\/(?<id>[0-9a-f-]{36})$/;

function notFound(): InvalidArgumentError {
  return new InvalidArgumentError('Diagnostic not found.', {
    reason: 'diagnostic_not_found',
    hint: 'Use the id from a result with a diagnostic_hint. Diagnostics expire after some days.',
  });
}

/** Lets operators read the diagnostics in their scope. */
@Injectable()
export class DiagnosticsService {
  constructor(
    private readonly archive: ScopedArchive,
    private readonly config: DiagnosticsConfig,
    private readonly surface: SurfaceConfig,
  ) {}

  /** @throws InvalidArgumentError `diagnostic_not_found`, also for a record outside the scope */
  async read({ caller }: Call, id: string, date?: string): Promise<ReadableDiagnostic> {
    const record = await this.archive.within(caller.scopeLimit).find(id.toLowerCase(), date);
    if (!record) throw notFound();
    return { diagnostic_id: record.diagnostic_id, date: dayOf(record), markdown: renderDiagnostic(record) };
  }

  /** @throws InvalidArgumentError; ScopeViolationError `permission_denied` for callers that are not operators */
  async readUri(call: Call, uri: string): Promise<ReadableDiagnostic> {
    const { scheme, date, id } = URI.exec(uri)?.groups ?? {};
    if (!this.config.resourcesEnabled || scheme !== this.surface.uriScheme || id === undefined)
      throw notFound();
    if (call.caller.isOperator) return this.read(call, id, date);
    throw new ScopeViolationError('Diagnostics are for operators.', {
      reason: 'permission_denied',
      hint: 'Continue without it.',
    });
  }
}
