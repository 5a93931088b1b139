import type { Domain } from '../../config/settings/domains.config.js';
import { type PagePlace, PLACES } from '../views/layout.js';

/** The features of a server that have pages. */
export interface UsedFeatures {
  readonly offered: readonly Domain[];
  readonly needsApprovals: boolean;
  readonly hasLedger: boolean;
  readonly hasProviders: boolean;
}

/** Finds the pages of features that a server does not use. */
export function hiddenPages(features: UsedFeatures): ReadonlySet<PagePlace> {
  const isUsed: Partial<Record<PagePlace, boolean>> = {
    '/admin/approvals': features.needsApprovals,
    '/admin/runs': features.hasLedger,
    '/admin/claims': features.offered.includes('claim'),
    '/admin/corpora': features.offered.includes('knowledge'),
    '/admin/pointers': features.offered.includes('substrate'),
    '/admin/providers': features.hasProviders,
  };
  return new Set(PLACES.map(({ href }) => href).filter((href) => isUsed[href] === false));
}
