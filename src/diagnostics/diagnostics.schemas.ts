import { z } from 'zod';
import { LIMIT_REASONS } from '../core/reply.js';

/** The output of diagnostics.get. */
export const diagnosticOutputSchema = z.strictObject({
  diagnostic_id: z.string(),
  date: z.string(),
  markdown: z.string(),
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
});
export type DiagnosticOutput = z.output<typeof diagnosticOutputSchema>;

/** A diagnostic as Markdown; `date` is `YYYY-MM-DD`, UTC. */
export type ReadableDiagnostic = Pick<DiagnosticOutput, 'diagnostic_id' | 'date' | 'markdown'>;
