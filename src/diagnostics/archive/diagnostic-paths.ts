import { join } from 'node:path';
import { dayOf } from '../record/diagnostic-record.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';

/** The file of a day's records, one per line. */
export const LINES_NAME = 'retrieval_diagnostics.jsonl';

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const PAGE_SUFFIX = '.md';

/** Whether a text can be a record's id, and so part of a path: a UUID. */
export function isDiagnosticId(text: string): boolean {
  return ID.test(text);
}

/** Whether a text names a day, and so can be a folder of ours: `YYYY-MM-DD`, a day that there is. */
export function isDay(text: string): boolean {
  if (!DAY.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** The name of the page that people read. */
export function pageName(id: string): string {
  return `${id}${PAGE_SUFFIX}`;
}

/** Whether a file in a day's folder is one that a writer made. */
export function isOurs(name: string): boolean {
  if (name === LINES_NAME) return true;
  return name.endsWith(PAGE_SUFFIX) && isDiagnosticId(name.slice(0, -PAGE_SUFFIX.length));
}

/** Where a record is: the file that holds its line, and its page. */
export interface DiagnosticPaths {
  readonly jsonl: string;
  readonly markdown: string;
}

/**
 * Where a record is written.
 * @throws RangeError where its id or its day can be no part of a path
 */
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
