import { parseConfig } from '../../src/config/config.js';
import { isGoverned, loadFeatures } from '../../src/features.js';
import { openInProcess } from '../../src/main.in-process.js';
import { ALL_FEATURES } from '../support/all-tools.js';

describe('isGoverned', () => {
  it('is false if callers have their permissions only', () => {
    expect(isGoverned(parseConfig({}), 'stdio')).toBe(false);
    expect(
      isGoverned(
        parseConfig({ PITH_HTTP_TOKEN: 'a-token-of-callers', PITH_ADMIN_TOKEN: 'a-token-of-operators' }),
        'stdio',
      ),
    ).toBe(false);
  });

  it.each([
    { PITH_GOVERNANCE_FILE: '/srv/governance.yaml' },
    { PITH_ACCESS_FILE: '/srv/access.yaml' },
    { PITH_AUDIT_FILE: '/srv/audit.jsonl' },
    { MCP_DOMAINS: 'run' },
    { PITH_AGENT: 'support' },
    { PITH_GOVERNANCE_DATABASE: 'postgres://localhost/pith' },
    { PITH_APPROVAL_WEBHOOK_URL: 'https://example.com/approvals' },
  ])('is true with %j', (settings) => {
    expect(isGoverned(parseConfig(settings), 'stdio')).toBe(true);
  });

  it('is true if calls are recorded', () => {
    expect(isGoverned(parseConfig({ PITH_LEDGER: 'on' }), 'stdio')).toBe(true);
  });

  it('is true over HTTP', () => {
    expect(isGoverned(parseConfig({ PITH_LEDGER: 'off' }), 'http')).toBe(true);
  });
});

describe('loadFeatures', () => {
  it('imports all features over HTTP, in the order of the tool list', async () => {
    const { on, offTools } = await loadFeatures(parseConfig({ MCP_LEGACY_TOOLS: 'off' }), 'http');
    expect(on).toEqual(ALL_FEATURES);
    expect(await offTools()).toEqual([]);
  });

  it('imports over STDIO only those that are on, and the tools of the others when they are asked for', async () => {
    const { on, offTools } = await loadFeatures(parseConfig({ MCP_LEGACY_TOOLS: 'off' }), 'stdio');
    expect(on).toEqual([]);
    expect(await offTools()).toEqual(ALL_FEATURES.flatMap(({ tools = [] }) => tools));
  });
});

describe('a call of a tool whose feature is not imported', () => {
  const opening = openInProcess(parseConfig({ PITH_INDEX: '/nowhere/index.sqlite' }));
  afterAll(async () => (await opening).close());

  it.each(['claim.get', 'claim_get', 'tool.list'])('%s: says that the tool is off', async (name) => {
    const { result } = await (await opening).call(name, {});
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { error: { details: { reason: 'feature_disabled' } } },
    });
  });

  it.each(['claim.create', 'no.such_tool'])('%s: is unknown to a caller who may not write', async (name) => {
    await expect((await opening).call(name, {})).rejects.toThrow(`Unknown tool: ${name}. Call tools/list.`);
  });
});
