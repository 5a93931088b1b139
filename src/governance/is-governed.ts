import type { Config } from '../config/config.js';
import type { Ledger } from './ledger/ledger.port.js';

type Governing = Pick<Config, 'governance' | 'http' | 'domains'>;

/**
 * True if calls of a server need more than the permission of their caller: there are rules, principals with tools of their
 * own, tools that change something, or records of decisions. If not, calls pass no stage of governance.
 */
export const isGoverned = ({ governance, http, domains }: Governing, ledger: Ledger | null): boolean =>
  governance.file !== '' ||
  http.accessFile !== '' ||
  http.auditFile !== '' ||
  domains.offered.length > 0 ||
  ledger !== null;
