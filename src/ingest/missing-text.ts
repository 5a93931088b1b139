import type { Remark } from '../core/indexed-document.js';

/** The share of pages without text from which a run has probably failed to read them. */
const MIN_SHARE = 0.02;

const REASON = 'no text was found in them, so they are not in the index';

/**
 * Reports pages without text, unless they are few. @param pages  all pages, also those without text
 * @param name  of the source; '' for all other pages
 */
export function missingText(without: number, pages: number, name = ''): Remark[] {
  if (without === 0 || without < MIN_SHARE * pages) return [];
  return [{ path: shareOf(without, pages, name), reason: REASON, isProblem: true }];
}

const LOST = 'they were lost when the index was rebuilt; those that come back are read again';

/** Reports pages that a rebuild could not keep. */
export const lostPages = (gone: number, pages: number, name: string): Remark => ({
  path: shareOf(gone, pages, name),
  reason: LOST,
  isProblem: true,
});

const shareOf = (part: number, pages: number, name: string): string =>
  `${part} of ${pages} pages${name === '' ? '' : ` of ${name}`}`;

/** True for a remark about pages that a rebuild has lost. */
export const isLost = ({ reason }: Pick<Remark, 'reason'>): boolean => reason === LOST;

/** True for a remark of this file, which is shown before everything else of a run. */
export const isMissingText = ({ reason }: Pick<Remark, 'reason'>): boolean => [REASON, LOST].includes(reason);
