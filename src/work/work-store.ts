import type { StoreKind } from '../sqlite/stores/store-failures.js';
import type { StorePlace } from '../sqlite/stores/store-file.js';

/** The file of what the tools of MCP_DOMAINS store. Its application id is "Pitw". */
export const WORK_STORE: StoreKind = {
  id: 0x50697477,
  version: 1,
  name: 'work store',
  reason: 'work_store',
  setting: 'PITH_WORK_FILE',
};

export type WorkPlace = Omit<StorePlace, 'kind' | 'tables'>;

/** The file, with the clock and the limit of what is stored for good. */
export interface BoundedWorkPlace extends WorkPlace {
  /** Max bytes of one project and environment. */
  readonly maxBytes: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}
