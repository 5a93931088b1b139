import { resolve } from 'node:path';
import type { Config, Environment } from '../../config/config.js';
import { InvalidArgumentError } from '../../core/errors.js';
import { tell } from '../../core/stderr.js';
import { DiagnosticArchive } from '../../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticFilter } from '../../diagnostics/archive/diagnostic-filter.js';
import { isDiagnosticId } from '../../diagnostics/archive/diagnostic-paths.js';
import type { DiagnosticRecord } from '../../diagnostics/record/diagnostic-record.js';
import { clipText } from '../../text/clip-text.js';
import { plainJson, plainLine } from '../../text/plain-line.js';
import { loadConfig } from '../load-config.js';
import { DIAGNOSTIC_HEAD, diagnosticLines, listLines } from '../reports/diagnostics-report.js';
import { toldToEnd } from '../running/told-to-end.js';
import type { DiagnosticsFlags, ListFlags } from './diagnostics-program.js';

const DEFAULT_LIMIT = 20;
const MAX_ID_SHOWN = 80;

/** A folder of diagnostics, and who reads it. */
export interface Reading {
  readonly config: Config;
  readonly folder: string;
  readonly archive: DiagnosticArchive;
}

/** Says of a folder that can't be read what to do about it. */
async function readable<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error;
    throw new InvalidArgumentError(`The diagnostics in ${folder} can't be read: ${error.message}`, {
      reason: 'diagnostics_not_readable',
      hint: 'Run this as the user of the server, or choose another folder with --dir.',
      cause: error,
    });
  }
}

/** Opens the configured folder. */
export function openArchive(overrides: Environment): Reading {
  const config = loadConfig(overrides);
  const folder = resolve(config.diagnostics.dir);
  return { config, folder, archive: new DiagnosticArchive(folder) };
}

const shown = (id: string): string => JSON.stringify(clipText(plainLine(id), MAX_ID_SHOWN));

/** @throws InvalidArgumentError for what can be no id */
function idOf(text: string): string {
  const id = text.trim().toLowerCase();
  if (isDiagnosticId(id)) return id;
  throw new InvalidArgumentError(`${shown(text)} is not a diagnostic id.`, {
    reason: 'invalid_input',
    hint: 'A diagnostic id is a UUID: the diagnostic_id of a result. pith diagnostics list shows the ids.',
  });
}

function notFound(id: string, folder: string): InvalidArgumentError {
  return new InvalidArgumentError(`There is no diagnostic ${id} in ${folder}.`, {
    reason: 'diagnostic_not_found',
    hint: 'It may have expired, the call may not have been recorded, or --dir may be the wrong folder. pith diagnostics list shows the existing ids.',
  });
}

/** Finds a record. @throws InvalidArgumentError `diagnostic_not_found` */
export async function findRecord({ archive, folder }: Reading, text: string): Promise<DiagnosticRecord> {
  const id = idOf(text);
  const record = await readable(folder, () => archive.find(id));
  if (record) return record;
  throw notFound(id, folder);
}

const print = (text: string): boolean => process.stdout.write(`${text}\n`);

/** `pith diagnostics show` */
export async function showDiagnostic(
  text: string,
  { json = false }: DiagnosticsFlags,
  overrides: Environment,
): Promise<void> {
  const reading = openArchive(overrides);
  if (json) {
    print(plainJson(await findRecord(reading, text)));
    return;
  }
  const id = idOf(text);
  const { archive, folder } = reading;
  const markdown = await readable(folder, () => archive.markdown(id));
  if (markdown === null) throw notFound(id, folder);
  print(markdown.trimEnd().split('\n').map(plainLine).join('\n'));
}

function filterOf(flags: ListFlags): DiagnosticFilter {
  const { tool, since, until, minMs, session, answerable } = flags;
  return {
    tool,
    since,
    until,
    answerable,
    minTotalMs: minMs,
    sessionId: session,
    ...(flags.failed ? { outcome: 'error' } : {}),
    ...(flags.degraded ? { isDegraded: true } : {}),
    ...(flags.partial ? { isPartial: true } : {}),
  };
}

/** `pith diagnostics list` */
export async function listDiagnostics(flags: ListFlags, overrides: Environment): Promise<void> {
  const { archive, folder } = openArchive(overrides);
  const filter = filterOf(flags);
  const limit = flags.limit ?? DEFAULT_LIMIT;
  const page = await readable(folder, () => archive.list(filter, { limit }));
  const isFiltered = Object.values(filter).some((value) => value !== undefined);
  print(flags.json ? plainJson(page.records) : listLines(page, { folder, isFiltered }).join('\n'));
}

/** `pith diagnostics tail` */
export async function tailDiagnostics(
  { json = false }: DiagnosticsFlags,
  overrides: Environment,
): Promise<void> {
  const { archive, folder } = openArchive(overrides);
  const ended = new AbortController();
  void toldToEnd().then(() => ended.abort());
  const records = archive.follow(ended.signal);
  tell(`Waiting for diagnostics in ${folder}. Press Ctrl+C to stop.`);
  if (!json) print(DIAGNOSTIC_HEAD);
  await readable(folder, async () => {
    for await (const record of records)
      print(json ? plainJson(record, 0) : diagnosticLines(record).join('\n'));
  });
}
