import type { DiagnosticRecord, Fate } from '../record/diagnostic-record.js';

/** What can become of a section, and what diagnostics count of it. */
type LossReason = Exclude<Fate, 'returned'> | 'veto' | 'found_twice';

/** What became of a section, in words that follow a number or a section. */
export const LOSS_WORDS: Readonly<Record<LossReason, string>> = {
  scope_mismatch: 'outside the scope',
  veto: 'vetoed',
  same_document: 'dropped (same document)',
  near_duplicate: 'dropped (near duplicates)',
  found_twice: 'found twice',
  below_list: 'below the end of the list',
  other_page: 'on another page',
  no_quote: 'without a selected quote',
  budget: 'omitted to stay within the response budget',
};

/** What became of one section, as a clause about it. */
export const FATE_WORDS: Readonly<Record<Fate, string>> = {
  returned: 'returned',
  same_document: 'dropped: the list already has better sections of the same document',
  near_duplicate: 'dropped: a near duplicate is listed in its place',
  below_list: 'ranked, but below the end of the list',
  other_page: 'in the list, on another page',
  no_quote: 'in the list, but no sentence of it was selected',
  budget: 'omitted to stay within the response budget',
  scope_mismatch: 'outside the scope of the call',
};

export interface Loss {
  readonly reason: LossReason;
  readonly count: number;
}

/** How many sections were left at a point, and what was lost on the way to it. */
export interface FunnelStep {
  readonly name: string;
  readonly count: number;
  readonly losses: readonly Loss[];
}

const some = (losses: readonly Loss[]): Loss[] => losses.filter(({ count }) => count > 0);

/** From all that matched to what was returned: each count is the one before it less the losses. */
export function funnelOf({ counts }: Pick<DiagnosticRecord, 'counts'>): readonly FunnelStep[] {
  const { dropped, dedupe, not_returned: notReturned } = counts;
  return [
    { name: 'Matched', count: counts.candidates_initial, losses: [] },
    {
      name: 'In scope',
      count: counts.candidates_post_filter,
      losses: some([
        { reason: 'scope_mismatch', count: dropped.scope_mismatch },
        { reason: 'veto', count: dropped.veto },
      ]),
    },
    {
      name: 'Without duplicates',
      count: counts.candidates_post_dedupe,
      losses: some([
        { reason: 'same_document', count: dedupe.same_document },
        { reason: 'near_duplicate', count: dedupe.near_duplicate },
        { reason: 'found_twice', count: dedupe.found_twice },
      ]),
    },
    {
      name: 'Returned',
      count: counts.returned,
      losses: some([
        { reason: 'below_list', count: notReturned.below_list },
        { reason: 'other_page', count: notReturned.other_page },
        { reason: 'no_quote', count: notReturned.no_quote },
        { reason: 'budget', count: notReturned.budget },
      ]),
    },
  ];
}

/** All losses of a retrieval, in the order in which they happen. */
export function lossesOf(record: Pick<DiagnosticRecord, 'counts'>): readonly Loss[] {
  return funnelOf(record).flatMap(({ losses }) => losses);
}
