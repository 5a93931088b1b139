import { diagnosticRecordSchema } from './diagnostic-record.js';
import type { DiagnosticRecord } from './diagnostic-record.js';
import { isShallow } from './redact.js';

/** Reads a line; null for one that is torn, or not of this format. */
export function readRecord(line: Buffer): DiagnosticRecord | null {
  try {
    const record = diagnosticRecordSchema.safeParse(JSON.parse(line.toString('utf8'))).data;
    return record && isShallow(record.request) ? record : null;
  } catch {
    // No JSON: the line was torn, or somebody else wrote it.
    return null;
  }
}
