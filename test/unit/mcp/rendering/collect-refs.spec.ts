import { newTrace } from '../../../../src/core/call.js';
import type { Ref } from '../../../../src/core/reply.js';
import { providerRendering } from '../../../../src/governance/providers/provider-reply.js';
import { GOVERNANCE_TOOLS } from '../../../../src/governance/tools/tool-listing.tools.js';
import { searchTool } from '../../../../src/kb/tools/search.tool.js';
import { type AnyTool, definitionsOf } from '../../../../src/mcp/define-tool.js';
import { noteOrigin } from '../../../../src/mcp/rendering/cautious-text.js';
import { collectRefs, resourceRefs } from '../../../../src/mcp/rendering/collect-refs.js';
import { retrieveMemoryTool } from '../../../../src/memory/retrieve-memory.tool.js';
import { aCall } from '../../../support/builders.js';

const named = (refs: readonly Ref[]): string[] => refs.map(({ type, id }) => `${type} ${id}`);
const of = (output: unknown, tool: AnyTool = searchTool): string[] =>
  named(collectRefs(aCall(), tool, output));

describe('collectRefs', () => {
  it.each<[string, unknown, string[]]>([
    [
      'a section and its passage',
      { results: [{ passage_id: 'P', section_id: 'a.md#b' }] },
      ['passage P', 'section a.md#b'],
    ],
    ['a chunk', { hits: [{ chunk_id: 'a.md#b', filepath: 'a.md' }] }, ['section a.md#b']],
    ['a citation', { excerpt: 'x', citation: { section_id: 'a.md#b' } }, ['section a.md#b']],
    [
      'a document in the graph',
      { nodes: [{ id: 'a.md#_document', label: 'Document' }] },
      ['document a.md#_document'],
    ],
    ['the section of a step', { nodes: [{ id: 'a.md#b/_step-2', label: 'Step' }] }, ['section a.md#b']],
    [
      'the ends of edges',
      { edges: [{ src: 'a.md#b', dst: 'c.md#d' }] },
      ['section a.md#b', 'section c.md#d'],
    ],
    [
      'the nodes of a path',
      { paths: [{ nodes: ['a.md#b', 'entity:x', 'c.md#d'] }] },
      ['section a.md#b', 'section c.md#d'],
    ],
    [
      'parents',
      { results: [{ parent_id: 'a.md#b', ancestors: [{ id: 'a.md#_document', title: 'A' }] }] },
      ['section a.md#b', 'document a.md#_document'],
    ],
    ['a diagnostic of another call', { diagnostic_id: 'other', markdown: '…' }, ['diagnostic other']],
    [
      'each thing once',
      { quotes: [{ section_id: 'a.md#b' }], sources: [{ section_id: 'a.md#b' }] },
      ['section a.md#b'],
    ],
    ['no entity', { nodes: [{ id: 'entity:order', label: 'Concept' }] }, []],
    ['no id of something else', { session_id: 's', id: 'x', parent_id: null }, []],
    ['nothing of the debug output', { debug: { section_id: 'a.md#b' } }, []],
    ['nothing that a document says', { hits: [{ metadata: { section_id: 'a.md#b' } }] }, []],
    ['nothing of an empty result', { results: [] }, []],
  ])('finds %s', (_, output, expected) => {
    expect(of(output)).toEqual(expected);
  });

  it.each(definitionsOf(GOVERNANCE_TOOLS))('finds nothing in the schemas that $name returns', (tool) => {
    const schema = { properties: { section_id: { default: { section_id: 'a.md#b' } } } };
    expect(of({ name: 'x', input_schema: schema }, tool)).toEqual([]);
  });

  it("finds a provider's passage, and guesses nothing from its data", () => {
    const data = { section_id: 'a.md#b', passage_id: 'P', nodes: ['c.md'], diagnostic_id: 'd' };
    const output = { provider: 'p', text: '', data, partial: false, limit_reason: 'none' } as const;
    const refs = (more: object): unknown => providerRendering.refs?.({ ...output, ...more });
    expect(refs({})).toEqual([]);
    expect(refs({ passage_id: 'kept' })).toEqual([{ type: 'passage', id: 'kept' }]);
  });

  it("adds the call's own diagnostic if it is written", () => {
    const written = { id: 'call-1', trace: { ...newTrace(), isKept: true, isWritable: true } };
    expect(named(collectRefs(written, searchTool, { diagnostic_id: 'call-1' }))).toEqual([
      'diagnostic call-1',
    ]);
    expect(of({ diagnostic_id: 'call-1' })).toEqual([]);
  });

  it('finds nothing in personal content', () => {
    expect(of({ snippets: [{ id: 't:1', title: 'mine' }] }, retrieveMemoryTool)).toEqual([]);
  });
});

describe('the artifacts of an index that was built from a manifest', () => {
  const reading = (artifact: string | undefined, ...ids: readonly string[]) => {
    const call = aCall();
    noteOrigin(call, { repository: 'docs', ...(artifact === undefined ? {} : { artifact }) }, ids);
    return call;
  };
  const QUOTED = { quotes: [{ section_id: 'a.md#b', passage_id: 'P' }] };

  it('follow what the reply names, each once', () => {
    const output = { quotes: [...QUOTED.quotes, { section_id: 'a.md#c' }] };
    const call = reading('A', 'a.md#b', 'a.md#c');
    expect(named(collectRefs(call, searchTool, output))).toEqual([
      'section a.md#b',
      'artifact A',
      'passage P',
      'section a.md#c',
    ]);
  });

  it.each<[string, string, object]>([
    ['a document', 'a.md', { nodes: [{ id: 'a.md#_document', label: 'Document' }] }],
    ['a passage', 'P', { citation: { passage_id: 'P' } }],
  ])('are found for %s', (_, id, output) => {
    expect(named(collectRefs(reading('A', id), searchTool, output))).toContain('artifact A');
  });

  it('are not named for documents that the reply does not name', () => {
    expect(named(collectRefs(reading('A', 'other.md#b'), searchTool, QUOTED))).not.toContain('artifact A');
  });

  it('are absent for an index of a folder', () => {
    const refs = named(collectRefs(reading(undefined, 'a.md#b'), searchTool, QUOTED));
    expect(refs).toEqual(['section a.md#b', 'passage P']);
  });

  it('are named for a document that is read as a resource', () => {
    const call = reading('A', 'my%20guides/a.md');
    expect(named(resourceRefs(call, 'docs:///my%20guides/a.md'))).toEqual([
      'document my%20guides/a.md#_document',
      'artifact A',
    ]);
  });
});

describe('resourceRefs', () => {
  it.each<[string, string[]]>([
    ['docs:///my%20guides/a.md', ['document my%20guides/a.md#_document']],
    ['DOCS:///a.md', ['document a.md#_document']],
    ['wekadocs://scratch/session/P', ['passage P']],
    ['own://diagnostics/2026-01-01/D', ['diagnostic D']],
    ['https://example.com/scratch/a/b', []],
    ['docs:///', []],
  ])('reads %s', (uri, expected) => {
    expect(named(resourceRefs(aCall(), uri))).toEqual(expected);
  });
});
