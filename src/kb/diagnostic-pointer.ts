import { z } from 'zod';
import type { Call } from '../core/call.js';

/** What a result says of its diagnostic; nothing else of it costs the caller anything. */
export const diagnosticShape = {
  diagnostic_id: z.string(),
  diagnostic_hint: z.string().optional(),
} as const;

/** The id that joins a result with logs and traces, and with its diagnostic, where one is written. */
export function diagnosticOf({ id, trace }: Call): {
  readonly diagnostic_id: string;
  readonly diagnostic_hint?: string;
} {
  return {
    diagnostic_id: id,
    ...(trace.isKept && trace.isWritable ? { diagnostic_hint: `See retrieval diagnostics ${id}` } : {}),
  };
}
