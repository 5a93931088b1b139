import type { Fate } from '../record/diagnostic-record.js';

interface FateWords {
  /** After a number of sections. */
  readonly counted: string;
  /** A clause about one section. */
  readonly clause: string;
  /** Completes "at that time the section was …". */
  readonly past: string;
  /** After "rank 4," in a comparison. */
  readonly brief?: string;
}

/** The outcome of a section, in words. */
export const FATE_WORDS: Readonly<Record<Fate, FateWords>> = {
  returned: { counted: 'returned', clause: 'returned', past: 'returned' },
  same_document: {
    counted: 'dropped (same document)',
    clause: 'dropped: the list already has better sections of the same document',
    past: 'dropped because the list already had better sections of its document',
  },
  near_duplicate: {
    counted: 'dropped (near duplicates)',
    clause: 'dropped: a near duplicate is listed in its place',
    past: 'dropped as a near duplicate of another section',
  },
  below_list: {
    counted: 'below the end of the list',
    clause: 'ranked, but below the end of the list',
    past: 'ranked below the end of the list',
    brief: 'below the list',
  },
  other_page: {
    counted: 'on another page',
    clause: 'in the list, on another page',
    past: 'in the list, on another page',
    brief: 'on another page',
  },
  no_quote: {
    counted: 'without a selected quote',
    clause: 'in the list, but no sentence of it was selected',
    past: 'in the list, but no sentence of it was selected',
    brief: 'without a quote',
  },
  budget: {
    counted: 'omitted to stay within the response budget',
    clause: 'omitted to stay within the response budget',
    past: 'omitted to stay within the response budget',
    brief: 'over the budget',
  },
  scope_mismatch: {
    counted: 'outside the scope',
    clause: 'outside the scope of the call',
    past: 'removed because it is outside the scope of the call',
  },
};
