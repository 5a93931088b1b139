import { NO_GOVERNANCE } from '../../../../../src/governance/agents/governance-file.js';
import { toolsPage } from '../../../../../src/governance/pages/tools/tools.controller.js';
import type { RegisteredTool } from '../../../../../src/governance/registry/registered-tool.js';
import { ownRegistry } from '../../../../../src/governance/registry/tool-registry.js';
import { listScratchTool } from '../../../../../src/scratch/list-scratch.tool.js';
import { FRAME } from '../../../../support/admin-parts.js';

const own = ownRegistry([listScratchTool], NO_GOVERNANCE).all();
const withTool = (parts: Partial<RegisteredTool>) =>
  own.map((tool) => ({
    tool: { ...tool, ...parts },
    isOn: true,
    hasHistory: false,
    agents: ['default', 'support'],
  }));

describe('toolsPage', () => {
  it('has a row for each tool, with provider, version, safety, capabilities and agents', () => {
    const text = toolsPage(withTool({ capabilities: ['notes'] }), new Map(), FRAME);
    const cells = [...text.matchAll(/data-name="(\w+)">\s*<span class="cell">(.*?)<\/span>/gs)];
    expect(
      cells.map(([, name, cell = '']) => [name, cell.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')]),
    ).toEqual([
      ['Tool', 'scratch.list Passages at hand'],
      ['Provider', 'pith'],
      ['Version', '1'],
      ['Safety', 'read'],
      ['Permission', 'read'],
      ['Capabilities', 'notes'],
      ['Approval', '–'],
      ['Agents', 'default, support'],
    ]);
  });

  it('links to the definitions of a tool, if they are stored', () => {
    const rows = withTool({ name: 'x.a&b' });
    const address = 'href="/admin/tools/history?name=x.a%26b"';
    expect(toolsPage(rows, new Map(), FRAME)).not.toContain('/admin/tools/history');
    const stored = rows.map((row) => ({ ...row, hasHistory: true }));
    expect(toolsPage(stored, new Map(), FRAME)).toContain(address);
  });

  it('marks the page in the navigation, and tools that are off', () => {
    const rows = withTool({}).map((row) => ({ ...row, isOn: false, agents: [] }));
    const text = toolsPage(rows, new Map(), FRAME);
    expect(text).toMatch(/href="\/admin\/tools" aria-current="page"/);
    expect(text).toContain('<span class="tag">off</span>');
    expect(text).toContain('<em>none</em>');
  });

  it('escapes names of providers and their tools', () => {
    const text = toolsPage(
      withTool({ name: 'x.<script>', title: '<b>', provider: '"><i>' }),
      new Map(),
      FRAME,
    );
    expect(text).not.toMatch(/<script>|<b>|"><i>/);
  });

  it('lists aliases', () => {
    const text = toolsPage([], new Map([['find', 'kb.search']]), FRAME);
    expect(text.replace(/<[^>]*>/g, '')).toContain('find means kb.search');
  });
});
