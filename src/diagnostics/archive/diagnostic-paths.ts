import { join } from 'node:path';
import { dayOf, type DiagnosticRecord } from '../record/diagnostic-record.js';

/** The file of a day's records, one per line. */
export const LINES_NAME = 'retrieval_diagnostics.jsonl';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PAGE_SUFFIX = '.md';

/** True for UUIDs, which are safe as parts of a path. */
export function isDiagnosticId(text: string): boolean {
  return ID.test(text);
}

/** True for an existing day as `YYYY-MM-DD`: the name of a day's folder. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

export function pageName(id: string): string {
  return `${id}${PAGE_SUFFIX}`;
}

/** True if the name is one that the writer uses. */
export function isOurs(name: string): boolean {
  if (name === LINES_NAME) return true;
  return name.endsWith(PAGE_SUFFIX) && isDiagnosticId(name.slice(0, -PAGE_SUFFIX.length));
}

export interface DiagnosticPaths {
  readonly jsonl: string;
  readonly markdown: string;
}

/** The files of a record. @throws RangeError if its id or its day is not safe as a part of a path */
export function pathsOf(
  folder: string,
  record: Pick<DiagnosticRecord, 'diagnostic_id' | 'timestamp'>,
): DiagnosticPaths {
  const day = dayOf(record);
  if (!isDay(day) || !isDiagnosticId(record.diagnostic_id)) {
    throw new RangeError(
      `invalid timestamp or id: ${JSON.stringify([record.timestamp, record.diagnostic_id])}`,
    );
  }
  return {
    jsonl: join(folder, day, LINES_NAME),
    markdown: join(folder, day, pageName(record.diagnostic_id)),
  };
}
