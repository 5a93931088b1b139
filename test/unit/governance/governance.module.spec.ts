import { parseConfig } from '../../../src/config/config.js';
import { isGoverned } from '../../../src/governance/governance.module.js';
import type { Ledger } from '../../../src/governance/ledger/ledger.js';

describe('isGoverned', () => {
  it('is false if callers have their permissions only', () => {
    expect(isGoverned(parseConfig({}), null)).toBe(false);
    expect(
      isGoverned(
        parseConfig({ PITH_HTTP_TOKEN: 'a-token-of-callers', PITH_ADMIN_TOKEN: 'a-token-of-operators' }),
        null,
      ),
    ).toBe(false);
  });

  it.each([
    { PITH_GOVERNANCE_FILE: '/srv/governance.yaml' },
    { PITH_ACCESS_FILE: '/srv/access.yaml' },
    { PITH_AUDIT_FILE: '/srv/audit.jsonl' },
    { MCP_DOMAINS: 'run' },
  ])('is true with %j', (settings) => {
    expect(isGoverned(parseConfig(settings), null)).toBe(true);
  });

  it('is true if calls are recorded', () => {
    expect(isGoverned(parseConfig({}), {} as Ledger)).toBe(true);
  });
});
