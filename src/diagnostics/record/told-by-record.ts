import type { DiagnosticRecord, Fate } from './diagnostic-record.js';

/** What a record itself says of a section. */
interface RecordedFate {
  /** Null where it tells nothing of it. */
  readonly fate: Fate | null;
  /** In the ranked list, or among all that matched for rows that did not get there; null where it tells nothing. */
  readonly rank: number | null;
  readonly instead: string | null;
  /** Whether it tells of what was dropped before there was a list. */
  readonly tells_of_hits: boolean;
}

/** Looks a section up in a record: among what was returned, what was left out, and what matched. */
export function toldByRecord(record: DiagnosticRecord, sectionId: string): RecordedFate {
  const { results, left_out, pre_dedupe } = record;
  const tells_of_hits = pre_dedupe !== undefined;
  const returned = results.find(({ chunk_id }) => chunk_id === sectionId);
  if (returned) return { fate: 'returned', rank: returned.rank, instead: null, tells_of_hits };
  // Rows tell who stands in the place of another; of what got further, the list tells more.
  const listed = left_out.find(({ chunk_id }) => chunk_id === sectionId);
  const hit = pre_dedupe?.find(({ chunk_id }) => chunk_id === sectionId);
  const { fate = null, rank = null, instead = null } = listed ?? hit ?? {};
  // Of rows, those are called so that were candidates: what became of this one, the list is too short to tell.
  return { fate: fate === 'returned' ? 'below_list' : fate, rank, instead, tells_of_hits };
}

const FATES: Readonly<Record<Fate, string>> = {
  returned: 'returned',
  same_document: 'dropped because the list already had better sections of its document',
  near_duplicate: 'dropped as a near duplicate of another section',
  below_list: 'ranked below the end of the list',
  other_page: 'in the list, on another page',
  no_quote: 'in the list, but no sentence of it was selected',
  budget: 'omitted to stay within the response budget',
  scope_mismatch: 'removed because it is outside the scope of the call',
};

/** Says it in a sentence. */
export function sayRecorded({ fate, rank, instead, tells_of_hits }: RecordedFate): string {
  if (fate === null) {
    const more = tells_of_hits ? '' : ' With diagnostic_debug a record also lists dropped rows.';
    return `it does not list this section. At that time it was neither returned nor among the first omitted sections.${more}`;
  }
  const other = instead === null ? '' : ` (${instead})`;
  return `at that time the section was ${FATES[fate]}${other}${rank === null ? '' : `, at rank ${rank}`}.`;
}
