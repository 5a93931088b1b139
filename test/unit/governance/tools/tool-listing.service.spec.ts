import { parseConfig } from '../../../../src/config/config.js';
import type { Call } from '../../../../src/core/call.js';
import { parseGovernance } from '../../../../src/governance/agents/read-governance.js';
import { GovernanceService } from '../../../../src/governance/governance.service.js';
import { ownRegistry } from '../../../../src/governance/registry/tool-registry.js';
import {
  type ListedPage,
  ToolListingService,
} from '../../../../src/governance/tools/tool-listing.service.js';
import { resolveSurface } from '../../../../src/mcp/surface/surface.js';
import { toolDefinitions } from '../../../support/all-tools.js';
import { aCall } from '../../../support/builders.js';

const FILE = `
version: 1
capabilities:
  search: [kb.*]
  look: [kb.search, tool.*]
agents:
  searcher: { capabilities: [search, look] }
policy:
  rules:
    - { name: watched, tools: [kb.search], effect: notify }
    - { name: asked, tools: [kb.read_excerpt], effect: approve, approver: caller }
`;

const definitions = toolDefinitions();
const governance = parseGovernance(FILE, 'g.yaml', definitions);
const registry = ownRegistry(definitions, governance);
const access = new GovernanceService(governance, registry, 'default');
const config = parseConfig({ PITH_GOVERNANCE_FILE: 'g.yaml' });
const surface = { ...resolveSurface(definitions, config, {}), access };
const service = new ToolListingService(registry, access, surface, {
  secret: 's'.repeat(32),
  isLasting: true,
});

const by = (agent: string): Call => aCall({ caller: { agent } });

const page: ListedPage = { namespace: null, limit: 50, cursor: null };
const namesFor = (agent: string, parts: Partial<ListedPage> = {}): string[] =>
  service.list(by(agent), { ...page, ...parts }).output.tools.map(({ name }) => name);

/** The reason of the error that an action throws. */
function reasonOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    return Object(error).reason;
  }
  return undefined;
}

describe('list', () => {
  it('has the tools that the caller is offered, by name', () => {
    expect(namesFor('searcher')).toEqual([
      'kb.expand_excerpt',
      'kb.extract_evidence',
      'kb.read_excerpt',
      'kb.retrieve_evidence',
      'kb.search',
      'tool.describe',
      'tool.list',
    ]);
  });

  it('has neither tools for operators nor older names', () => {
    expect(namesFor('default').filter((name) => /^diagnostics|search_sections/.test(name))).toEqual([]);
  });

  it('has the tools of one namespace', () => {
    expect(service.list(by('searcher'), { ...page, namespace: 'tool' }).output).toMatchObject({
      tools: [
        { name: 'tool.describe' },
        { name: 'tool.list', version: '1', safety: 'read', provider: 'pith' },
      ],
      total: 2,
      next_cursor: null,
    });
  });

  it('continues with a cursor, for the same list only', () => {
    const { output } = service.list(by('searcher'), { ...page, limit: 5 });
    const cursor = output.next_cursor;
    expect(output).toMatchObject({ total: 7, partial: true, limit_reason: 'page_size' });
    expect(namesFor('searcher', { limit: 5, cursor })).toEqual(['tool.describe', 'tool.list']);
    expect(reasonOf(() => namesFor('default', { cursor }))).toBe('cursor_invalid');
  });
});

describe('describe', () => {
  it('has the schemas, their hash, and the rule that decides for the caller', () => {
    const { output } = service.describe(by('searcher'), 'kb_search');
    expect(output).toMatchObject({
      name: 'kb.search',
      namespace: 'kb',
      version: '1',
      safety: 'read',
      capabilities: ['search', 'look'],
      policy: { effect: 'notify', rule: 'watched', approver: null },
      schema_hash: registry.find('kb.search')?.schemaHash,
      input_schema: registry.find('kb.search')?.inputSchema,
      output_schema: registry.find('kb.search')?.outputSchema,
      partial: false,
    });
  });

  it('names who approves calls that need an approval', () => {
    expect(service.describe(by('searcher'), 'kb.read_excerpt').output.policy).toEqual({
      effect: 'approve',
      rule: 'asked',
      approver: 'caller',
    });
  });

  it.each(['graph.paths', 'diagnostics.get', 'nothing', '__proto__'])('does not reveal %s', (name) => {
    expect(reasonOf(() => service.describe(by('searcher'), name))).toBe('tool_not_found');
  });

  it('leaves out schemas that are too long, and says so', () => {
    const reply = service.describe(by('searcher'), 'kb.search');
    expect(reply.build({ count: 1, maxChars: 100, reason: 'byte_cap' })).toMatchObject({
      input_schema: null,
      output_schema: null,
      partial: true,
      limit_reason: 'byte_cap',
    });
  });
});
