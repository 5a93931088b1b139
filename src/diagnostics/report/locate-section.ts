import type { DiagnosticRecord, Fate } from '../record/diagnostic-record.js';
import { FATE_WORDS } from './fate-words.js';

interface Omitted {
  readonly rank: number;
  readonly fate: Fate;
  readonly instead: string | null;
}

/** Where a diagnostic lists a section. */
export type SectionPlace =
  /** `place` counts returned sections, `rank` counts ranked ones; both start at 1. */
  | { readonly where: 'returned'; readonly place: number; readonly rank: number }
  /** `dropped`: matched, but removed before the list was made. */
  | ({ readonly where: 'left_out' | 'dropped' } & Omitted)
  | { readonly where: 'unknown' };

/** Finds the entry of a section in a diagnostic. */
export function locateSection(record: DiagnosticRecord, sectionId: string): SectionPlace {
  const isIt = ({ chunk_id: id }: { readonly chunk_id: string }): boolean => id === sectionId;
  const place = record.results.findIndex(isIt);
  const returned = record.results[place];
  if (returned) return { where: 'returned', place: place + 1, rank: returned.rank };
  const leftOut = record.left_out.find(isIt);
  if (leftOut) return { where: 'left_out', ...fateOf(leftOut) };
  const hit = record.pre_dedupe?.find(isIt);
  return hit ? { where: 'dropped', ...fateOf(hit) } : { where: 'unknown' };
}

const fateOf = ({ rank, fate, instead }: Omitted): Omitted => ({ rank, fate, instead });

interface RecordedFate {
  /** Null if the record does not list the section. */
  readonly fate: Fate | null;
  /** Rank in the list, or among all matches if it was dropped earlier; null if not recorded. */
  readonly rank: number | null;
  readonly instead: string | null;
  /** True if the record lists rows that were dropped before the list was made. */
  readonly tells_of_hits: boolean;
}

/** Looks up the outcome of a section in a record. */
export function recordedFate(record: DiagnosticRecord, sectionId: string): RecordedFate {
  const tells_of_hits = record.pre_dedupe !== undefined;
  const found = locateSection(record, sectionId);
  if (found.where === 'unknown') return { fate: null, rank: null, instead: null, tells_of_hits };
  const { rank } = found;
  if (found.where === 'returned') return { fate: 'returned', rank, instead: null, tells_of_hits };
  // In `pre_dedupe`, `returned` means that the hit became a candidate. Neither list has it, so it is below their ends.
  const fate = found.fate === 'returned' ? 'below_list' : found.fate;
  return { fate, rank, instead: found.instead, tells_of_hits };
}

/** Describes a recorded outcome in a sentence. */
export function sayRecorded({ fate, rank, instead, tells_of_hits }: RecordedFate): string {
  if (fate === null) {
    const more = tells_of_hits ? '' : ' With diagnostic_debug a record also lists dropped rows.';
    return `it does not list this section. At that time it was neither returned nor among the first omitted sections.${more}`;
  }
  const other = instead === null ? '' : ` (${instead})`;
  return `at that time the section was ${FATE_WORDS[fate].past}${other}${rank === null ? '' : `, at rank ${rank}`}.`;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** The shell command (POSIX) that explains the outcome of a section; a placeholder replaces a query that was not stored. */
export function whyCommand({ diagnostic_id: id, query }: DiagnosticRecord, sectionId: string): string {
  const question = query.raw === null ? " --query 'THE QUESTION'" : '';
  return `pith diagnostics why --id ${id}${question} -- ${quoted(sectionId)}`;
}
