import type { DiagnosticRecord, Fate } from '../record/diagnostic-record.js';
import { FATE_WORDS } from './fate-words.js';

/** Why sections are counted as lost. */
type LossReason = Exclude<Fate, 'returned'> | 'veto' | 'found_twice';

/** The reason in words that follow a number of sections. */
export function wordsForLoss(reason: LossReason): string {
  if (reason === 'veto') return 'vetoed';
  return reason === 'found_twice' ? 'found twice' : FATE_WORDS[reason].counted;
}

export interface CountedLoss {
  readonly reason: LossReason;
  readonly count: number;
}

/** How many sections were left after a step, and how many it lost. */
export interface FunnelStep {
  readonly name: string;
  readonly count: number;
  readonly losses: readonly CountedLoss[];
}

const some = (losses: readonly CountedLoss[]): CountedLoss[] => losses.filter(({ count }) => count > 0);

/** The steps from matched to returned sections. Each count is the previous one minus the losses. */
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
export function lossesOf(record: Pick<DiagnosticRecord, 'counts'>): readonly CountedLoss[] {
  return funnelOf(record).flatMap(({ losses }) => losses);
}
