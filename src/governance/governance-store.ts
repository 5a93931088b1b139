import type { StoreKind } from '../sqlite/stores/store-failures.js';
import type { StorePlace } from '../sqlite/stores/store-file.js';

/** The file of approvals and providers. Its application id is "Pitg". */
export const GOVERNANCE_STORE: StoreKind = {
  id: 0x50697467,
  version: 1,
  name: 'governance store',
  reason: 'governance_store',
  setting: 'PITH_GOVERNANCE_STORE_FILE',
};

export type GovernancePlace = Omit<StorePlace, 'kind' | 'tables'>;
