import { TOOLS } from '../../../src/app.module';
import { toolBehind, toolFacts } from '../../../src/governance/registry/tool-facts';
import { definitionsOf, isLegacy } from '../../../src/mcp/define-tool';

const names = definitionsOf(TOOLS).map(({ name }) => name);
const facts = names.map((name) => toolFacts(name));

describe('toolFacts', () => {
  it('gives a mount to every tool', () => {
    expect(facts.filter(({ mounts }) => mounts.length === 0)).toEqual([]);
  });

  it('lets graph tools stand for document text if they are asked for snippets', () => {
    expect(toolFacts('graph.describe', { include_snippet: false }).standsFor).toEqual([]);
    expect(toolFacts('graph.describe', { include_snippet: true }).standsFor).toContain(
      'kb.retrieve_evidence',
    );
    expect(toolFacts('expand_neighbors', { include_snippet: true }).standsFor).toContain('graph.expand');
  });

  it.each(['constructor', '__proto__', 'toString'])('knows nothing of %s', (name) => {
    expect(toolFacts(name)).toMatchObject({ standsFor: [], mounts: [] });
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
    ['resources/read', 'docs://scratch/s/p', 'kb.read_excerpt'],
    ['resources/read', 'docs://diagnostics/2026-01-01/x', 'diagnostics.get'],
    ['resources/read', 'file:///etc/passwd', null],
    ['prompts/get', '', 'get_doc'],
  ])('%s %s is decided as %s', (method, uri, tool) => {
    expect(toolBehind(method, uri)).toBe(tool);
  });
});
