import type { z } from 'zod';
import { BackendUnavailableError } from '../../../../src/core/errors.js';
import { legacyContextBundle } from '../../../../src/legacy/tools/read-sections.js';
import { legacySearchDocumentation } from '../../../../src/legacy/tools/search-documentation.js';
import { legacyTraverse } from '../../../../src/legacy/tools/traverse-relationships.js';
import { aGraph } from '../../../support/a-graph.js';
import { aCandidate, FixedIndex } from '../../../support/builders.js';
import { aLegacyService, replyOf } from '../../../support/legacy-tools.js';

type Args = Partial<z.input<typeof legacyTraverse.definition.input>>;

const STEPS = 'guide.md#install/steps';
const LONG = 'word '.repeat(5_000);
const found = (id: string, text: string) =>
  aCandidate({ section: { id, text }, document: { docTag: 'docs' } });
const index = new FixedIndex([found('guide.md#install', LONG), found(STEPS, 'Run `pith`.')]);

describe('traverse_relationships', () => {
  const replyTo = (args: Args = {}, store: ReturnType<typeof aGraph> | null = aGraph()) =>
    replyOf(legacyTraverse, aLegacyService(store, index), { start_ids: [STEPS], max_depth: 1, ...args });
  const traverse = async (...args: Parameters<typeof replyTo>) => (await replyTo(...args)).output;

  it('returns nodes, relationships and paths without an envelope', async () => {
    const output = await traverse({ rel_types: ['CONTAINS_STEP'] });
    expect(JSON.stringify(output)).toBe(
      '{"nodes":[{"id":"guide.md#install/steps","label":"Chunk","properties":{"title":"Steps","heading":"Steps",' +
        '"name":null,"doc_tag":"docs","level":3,"tokens":10,"anchor":"anchor"},"distance":0},' +
        '{"id":"guide.md#install/steps/_step-1","label":"Step","properties":{"title":"Run it.","heading":null,' +
        '"name":null,"doc_tag":"docs","level":null,"tokens":0,"anchor":null},"distance":1}],' +
        '"relationships":[{"from_id":"guide.md#install/steps","to_id":"guide.md#install/steps/_step-1",' +
        '"type":"CONTAINS_STEP","properties":{"weight":1}}],' +
        '"paths":[{"nodes":["guide.md#install/steps","guide.md#install/steps/_step-1"],"length":1}]}',
    );
  });

  it('walks its three relations in both directions, and no other', async () => {
    const { nodes } = await traverse();
    expect(nodes.map(({ id, distance }) => [id, distance])).toEqual([
      [STEPS, 0],
      ['guide.md#_document', 1],
      [`${STEPS}/_step-1`, 1],
      ['entity:pith', 1],
      ['entity:port', 1],
    ]);
  });

  it('names entities, and returns texts of at most 1,000 characters on request', async () => {
    const { nodes } = await traverse({ start_ids: ['entity:pith'], include_text: true });
    expect(
      nodes.map(({ properties }) => [properties['name'], String(properties['text'] ?? '').length]),
    ).toEqual([
      ['pith', 0],
      [null, 1_000],
      [null, 11],
    ]);
  });

  it.each<[Args, string]>([
    [{ start_ids: [] }, 'start_ids is required and cannot be empty'],
    [{ max_depth: 0 }, 'Validation error: max_depth'],
    [{ max_depth: 4 }, 'Validation error: max_depth'],
    [{ rel_types: ['PARENT_OF'] }, 'Validation error: relationship types not allowed: PARENT_OF'],
  ])('answers %j with an error in its result', async (input, error) => {
    const output = await traverse(input);
    expect(output).toMatchObject({ nodes: [], relationships: [], paths: [] });
    expect(output.error).toContain(error);
  });

  it('answers a failing store with an error in its result', async () => {
    const store = aGraph();
    store.walk = () => Promise.reject(new BackendUnavailableError('No index.', { reason: 'x', hint: 'x' }));
    expect(await traverse({}, store)).toMatchObject({ error: 'Traversal failed: No index.', nodes: [] });
  });

  it('reports that there is no graph', async () => {
    expect(await traverse({}, null)).toMatchObject({ error: expect.any(String), neo4j_disabled: true });
  });

  it('returns only edges and paths between nodes that fit the response limit', async () => {
    const smaller = (await replyTo()).build({ count: 1, maxChars: 0, reason: 'byte_cap' });
    expect(smaller).toMatchObject({ nodes: [{ id: STEPS }], relationships: [], paths: [] });
  });
});

describe('compute_context_bundle', () => {
  const gather = async (seeds: string[]) =>
    (await replyOf(legacyContextBundle, aLegacyService(aGraph(), index), { seeds, strategy: 'whatever' }))
      .output;

  it('returns its keys in their order, and echoes the strategy', async () => {
    const output = await gather([STEPS]);
    expect(Object.keys(output)).toEqual([
      ...['bundle', 'usage', 'session_id', 'partial', 'limit_reason', 'meta'],
    ]);
    expect(Object.keys(output.bundle)).toEqual(['nodes', 'snippets', 'strategy']);
    expect(output.bundle).toMatchObject({
      nodes: [{ id: STEPS, label: 'Chunk' }],
      snippets: [{ section_id: STEPS, text_truncated: 'Run `pith`.' }],
      strategy: 'whatever',
    });
  });

  it('returns 16 KB of each text for any token budget, is never partial, and reports its usage', async () => {
    const output = await gather(['guide.md#install']);
    expect(output.bundle.snippets).toMatchObject([{ bytes: 16_384, truncated: true }]);
    expect(output).toMatchObject({ partial: false, limit_reason: 'none' });
    expect(output.usage.bytes).toBe(Buffer.byteLength(JSON.stringify(output.bundle)));
  });
});

describe('search_documentation', () => {
  const answer = async (verbosity = 'graph', of = index) => {
    const args = { query: 'run pith', verbosity };
    return (await replyOf(legacySearchDocumentation, aLegacyService(aGraph(), of), args)).output;
  };

  it('returns its keys in their order', async () => {
    const { answer_json, ...rest } = await answer();
    expect(Object.keys(rest)).toEqual(['answer_markdown']);
    expect(Object.keys(answer_json)).toEqual(['answer', 'evidence', 'confidence', 'diagnostics']);
    expect(Object.keys(answer_json.evidence[0] ?? {})).toEqual([
      ...['section_id', 'node_id', 'node_label', 'snippet', 'path', 'confidence', 'title', 'full_text'],
      ...['metadata', 'related_entities', 'related_sections'],
    ]);
    expect(Object.keys(answer_json.diagnostics)).toEqual([
      ...['ranking_features', 'timing', 'total_candidates', 'filters_applied'],
    ]);
  });

  it('returns the entities of each section, a snippet of 200 characters and the text', async () => {
    const { answer_json } = await answer();
    expect(answer_json.evidence).toMatchObject([
      { section_id: 'guide.md#install', related_entities: [{ entity_id: 'entity:pith' }] },
      {
        section_id: STEPS,
        full_text: 'Run `pith`.',
        metadata: { document_id: 'guide.md#_document', level: 3 },
        related_entities: [{ name: 'pith' }, { name: 'port' }],
        related_sections: [],
      },
    ]);
    expect(answer_json.evidence[0]?.snippet.length).toBeLessThanOrEqual(200);
  });

  it('cuts a text at 32 KB and marks it', async () => {
    const { answer_json } = await answer('full', new FixedIndex([found('x', 'word '.repeat(10_000))]));
    expect(answer_json.evidence[0]?.full_text).toMatch(
      /word \.\.\.\[truncated\]$|wo?r?d?\.\.\.\[truncated\]$/,
    );
    expect(answer_json.evidence[0]?.full_text).toHaveLength(32_768 + '...[truncated]'.length);
  });

  it.each(['graph', 'full', 'markdown', 'md', 'snippet', 'snip', 'short'])('takes %s', async (verbosity) => {
    expect((await answer(verbosity)).answer_json.evidence).toHaveLength(2);
  });

  it('reports an unknown verbosity and failures in the same shape', async () => {
    expect(await answer('loud')).toMatchObject({
      answer_json: {
        evidence: [],
        confidence: 0,
        diagnostics: { error: expect.stringContaining('verbosity') },
      },
    });
    const broken = new FixedIndex([]);
    broken.search = () =>
      Promise.reject(new BackendUnavailableError('No index.', { reason: 'x', hint: 'x' }));
    expect(await answer('graph', broken)).toMatchObject({
      answer_json: { confidence: 0, diagnostics: { error: 'Search failed: No index.' } },
    });
  });
});
