import type { DiagnosticRecord, Fate } from '../record/diagnostic-record.js';

/** Where a section is, of all that a diagnostic holds. */
export type SectionPlace =
  /** `place` counts what was returned, `rank` what was ranked; both from 1. */
  | { readonly where: 'returned'; readonly place: number; readonly rank: number }
  | {
      readonly where: 'left_out';
      readonly rank: number;
      readonly fate: Fate;
      readonly instead: string | null;
    }
  /** Matched, and dropped before the list was made. */
  | { readonly where: 'dropped'; readonly rank: number; readonly fate: Fate; readonly instead: string | null }
  | { readonly where: 'unknown' };

/** Where a section was lost, as far as the diagnostic tells. */
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

type Fated = { readonly rank: number; readonly fate: Fate; readonly instead: string | null };

const fateOf = ({ rank, fate, instead }: Fated): Fated => ({ rank, fate, instead });

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/**
 * The command that asks the index what became of a section, for a POSIX shell. Where the question was not kept it has to
 * be put in.
 */
export function whyCommand({ diagnostic_id: id, query }: DiagnosticRecord, sectionId: string): string {
  const question = query.raw === null ? " --query 'THE QUESTION'" : '';
  return `pith diagnostics why --id ${id}${question} -- ${quoted(sectionId)}`;
}
