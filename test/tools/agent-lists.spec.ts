import { join } from 'node:path';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { parseConfig } from '../../src/config/config.js';
import { PACKAGE_ROOT } from '../../src/core/package-facts.js';
import { readGovernance } from '../../src/governance/agents/read-governance.js';
import { GovernanceService } from '../../src/governance/governance.service.js';
import { ownRegistry } from '../../src/governance/registry/tool-registry.js';
import { describeTools } from '../../src/mcp/surface/describe-tools.js';
import { resolveSurface } from '../../src/mcp/surface/surface.js';
import { aReader } from '../support/a-reader.js';
import { toolDefinitions } from '../support/all-tools.js';

const FILE = join(PACKAGE_ROOT, 'config', 'governance.yaml');

const definitions = toolDefinitions();
const governance = readGovernance(FILE, definitions);
const access = new GovernanceService(governance, ownRegistry(definitions, governance), 'default');
const open = resolveSurface(definitions, parseConfig({}), {});
// Everything that an agent could be offered is turned on.
const governed = resolveSurface(
  definitions,
  parseConfig({
    PITH_GOVERNANCE_FILE: FILE,
    SURR_ENABLE_INNER_VOICE: '1',
    MCP_DIAGNOSTICS_RESOURCES_ENABLED: 'true',
  }),
  {},
);

/** Tokens of a list in the form that most models see. */
const cost = (list: ReturnType<typeof describeTools>): number =>
  countTokens(
    JSON.stringify(list.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
  );

const full = cost(describeTools(open, aReader(), null));
const agents = Object.keys(governance.agents).filter((name) => name !== 'default');

it('the list that most models see costs at most 3,600 tokens', () => {
  expect(full).toBeLessThanOrEqual(3_600);
});

describe('the tool lists of the agents of config/governance.yaml', () => {
  it('are five, besides that of the default agent', () => {
    expect(agents).toEqual(['support', 'researcher', 'reader', 'cartographer', 'auditor']);
  });

  it.each(agents)('cost at most 2,500 tokens and a third of the full list: %s', (agent) => {
    const reader = aReader({ agent, permissions: ['read', 'operator'] });
    const tokens = cost(describeTools({ ...governed, access }, reader, null));
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThanOrEqual(2_500);
    expect(tokens).toBeLessThanOrEqual(full / 3);
  });
});
