import { TOOLS } from '../../../src/app.module';
import { toolBehind, toolFacts } from '../../../src/governance/registry/tool-facts';
import { definitionsOf, isLegacy } from '../../../src/mcp/define-tool';

const names = definitionsOf(TOOLS).map(({ name }) => name);
const facts = names.map(toolFacts);

describe('toolFacts', () => {
  it('gives a mount to every tool but scope.describe', () => {
    expect(facts.filter(({ mounts }) => mounts.length === 0).map(({ name }) => name)).toEqual([
      'scope.describe',
    ]);
  });

  it('says for every older tool which current tools it stands for', () => {
    const older = definitionsOf(TOOLS).filter(isLegacy);
    expect(older.filter(({ name }) => toolFacts(name).standsFor.length === 0)).toEqual([]);
  });

  it('lets tools stand only for tools that exist', () => {
    expect(facts.flatMap(({ standsFor }) => standsFor).filter((name) => !names.includes(name))).toEqual([]);
  });
});

describe('toolBehind', () => {
  it.each([
    ['resources/read', 'docs:///guide/a.md', 'get_doc'],
    ['resources/read', 'DOCS:///guide/a.md', 'get_doc'],
    ['resources/read', 'wekadocs://scratch/s/p', 'kb.read_excerpt'],
    ['resources/read', 'own+scheme://SCRATCH/s/p', 'kb.read_excerpt'],
    ['resources/read', 'wekadocs://diagnostics/2026-01-01/x', 'diagnostics.get'],
    ['resources/read', 'file:///etc/passwd', null],
    ['prompts/get', '', 'get_doc'],
  ])('%s %s is decided as %s', (method, uri, tool) => {
    expect(toolBehind(method, uri)).toBe(tool);
  });
});
