import { z } from 'zod';
import type { Call } from '../core/call.js';

/** The fields of a result that point to its diagnostic. */
export const diagnosticShape = {
  diagnostic_id: z.string(),
  diagnostic_hint: z.string().optional(),
} as const;

/** The id that connects a result with logs, traces and, if one is written, its diagnostic. */
export function diagnosticOf({ id, trace }: Call): {
  readonly diagnostic_id: string;
  readonly diagnostic_hint?: string;
} {
  return {
    diagnostic_id: id,
    ...(trace.isKept && trace.isWritable ? { diagnostic_hint: `See retrieval diagnostics ${id}` } : {}),
  };
}
