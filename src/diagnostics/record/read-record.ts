import { type DiagnosticRecord, diagnosticRecordSchema } from './diagnostic-record.js';
import { isShallow } from './redact.js';

/** Parses a line; null if it is torn or has another format. */
export function readRecord(line: Buffer): DiagnosticRecord | null {
  try {
    const record = diagnosticRecordSchema.safeParse(JSON.parse(line.toString('utf8'))).data;
    return record && isShallow(record.request) ? record : null;
  } catch {
    // Not JSON: the line is torn or another program wrote it.
    return null;
  }
}
