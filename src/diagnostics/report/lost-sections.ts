import type { DiagnosticRecord, Fate } from '../record/diagnostic-record.js';
import { FATE_WORDS } from './fate-words.js';

/** Why sections are counted as lost. */
type LossReason = Exclude<Fate, 'returned'> | 'veto' | 'found_twice';

/** The reason in words that follow a number of sections. */
export function wordsForLoss(reason: LossReason): string {
  if (reason === 'veto') return 'vetoed';
  return reason === 'found_twice' ? 'found twice' : FATE_WORDS[reason].counted;
}

interface CountedLoss {
  readonly reason: LossReason;
  readonly count: number;
}

/** How many sections were left after a step, and how many it lost. */
export interface FunnelStep {
  readonly name: string;
  readonly count: number;
  readonly losses: readonly CountedLoss[];
}

/** In the order in which sections are lost. */
const REASONS: readonly LossReason[] = [
  'scope_mismatch',
  'veto',
  'same_document',
  'near_duplicate',
  'found_twice',
  'below_list',
  'other_page',
  'no_quote',
  'budget',
];

type Lost = Partial<Readonly<Record<LossReason, number>>>;

function step(name: string, count: number, lost: Lost): FunnelStep {
  const losses = REASONS.map((reason) => ({ reason, count: lost[reason] ?? 0 }));
  return { name, count, losses: losses.filter((loss) => loss.count > 0) };
}

/** The steps from matched to returned sections. Each count is the previous one minus the losses. */
export function funnelOf({ counts }: Pick<DiagnosticRecord, 'counts'>): readonly FunnelStep[] {
  const { scope_mismatch, veto } = counts.dropped;
  return [
    step('Matched', counts.candidates_initial, {}),
    step('In scope', counts.candidates_post_filter, { scope_mismatch, veto }),
    step('Without duplicates', counts.candidates_post_dedupe, counts.dedupe),
    step('Returned', counts.returned, counts.not_returned),
  ];
}

/** All losses of a retrieval, in the order in which they happen. */
export function lossesOf(record: Pick<DiagnosticRecord, 'counts'>): readonly CountedLoss[] {
  return funnelOf(record).flatMap(({ losses }) => losses);
}
