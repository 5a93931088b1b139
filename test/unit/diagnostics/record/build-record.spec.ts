import { createHash } from 'node:crypto';
import type { ExplainedHit } from '../../../../src/core/ports/section-index.port.js';
import { buildRecord, type RecordFacts } from '../../../../src/diagnostics/record/build-record.js';
import { diagnosticRecordSchema } from '../../../../src/diagnostics/record/diagnostic-record.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';
import { aCandidate, aRanking } from '../../../support/builders.js';

const FACTS: RecordFacts = {
  hasGraph: true,
  embedder: 'lsa-1',
  crossEncoder: null,
  reranker: 'coverage',
  storesText: false,
};
const CROSS_ENCODER = { provider: 'tei', model: 'BAAI/bge-reranker-base' };
const MARKER = 'xylophone-secret-4711';

const aHit = (sectionId: string): ExplainedHit => ({
  ...{ sectionId, docTag: 'docs', score: 1, lexical: 1, vector: null },
  ...{ shares: { words: 1 }, fate: 'candidate', instead: null },
});
const section = (id: string, score = 1) => aCandidate({ section: { id }, score });
const rewritten = aRanking({
  candidates: [section('a.md')],
  terms: [MARKER],
  rewrites: [{ from: MARKER, to: 'xylophone', why: 'misspelt' }],
});
const asked = {
  args: { query: MARKER },
  decisions: {
    input: { query: MARKER, keywords: [MARKER, 'x'], filters: { path_prefix: MARKER }, top_k: 5 },
  },
  retrieval: { rankings: [rewritten] },
};
const failure = { code: 'INVALID_ARGUMENT', reason: 'invalid_input', message: `Bad ${MARKER}.` } as const;

/** Lists nested in lists. */
function nested(depth: number): unknown {
  let value: unknown = [];
  for (let i = 0; i < depth; i++) value = [value];
  return { doc_tag: value };
}

describe('buildRecord', () => {
  it('matches its own schema', () => {
    const record = buildRecord(aFinishedCall(), FACTS);
    expect(diagnosticRecordSchema.parse(JSON.parse(JSON.stringify(record)))).toEqual(record);
  });

  it('has the ids of the call', () => {
    const { call } = aFinishedCall();
    const correlation = { correlationId: 'ticket-7', traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
    expect(buildRecord(aFinishedCall({ call: { correlation } }), FACTS)).toMatchObject({
      diagnostic_id: call.id,
      session_id: 'session',
      correlation_id: 'ticket-7',
      otel: { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) },
      tool: 'kb.search',
      transport: 'stdio',
    });
  });

  it('has the time at which the call began', () => {
    const now = () => Date.parse('2026-01-02T00:00:00.010Z');
    expect(buildRecord(aFinishedCall({ call: { now }, durationMs: 10 }), FACTS).timestamp).toBe(
      '2026-01-02T00:00:00.000Z',
    );
  });

  it.each([
    ['an answer', {}],
    ['a rewritten question', asked],
    ['a failure', { ...asked, error: failure }],
    [
      'unknown field names',
      { decisions: { input: { query: 'x', filters: { [MARKER]: 'x', doc_tag: 'a' } } } },
    ],
    [
      'a refusal before arguments were read',
      { args: { query: MARKER, [MARKER]: 1 }, error: failure, decisions: { input: null } },
    ],
  ])('contains no text from the caller in %s', (_, parts) => {
    const record = buildRecord(aFinishedCall({ ...asked, ...parts }), FACTS);
    expect(JSON.stringify(record)).not.toContain(MARKER);
  });

  it('contains hash and length of the question', () => {
    expect(buildRecord(aFinishedCall(asked), FACTS).query).toEqual({
      query_hash: createHash('sha256').update(MARKER).digest('hex'),
      query_length: MARKER.length,
      raw: null,
      normalized: null,
      rewritten: { applied: true, result: null, reason: 'misspelt' },
    });
  });

  it('contains all texts if storing them is on', () => {
    const record = buildRecord(aFinishedCall({ ...asked, error: failure }), { ...FACTS, storesText: true });
    expect(record.query).toMatchObject({
      raw: MARKER,
      normalized: MARKER,
      rewritten: { applied: true, result: `${MARKER} → xylophone` },
    });
    expect(record.request).toEqual(asked.decisions.input);
    expect(record.error?.message).toBe(`Bad ${MARKER}.`);
  });

  it('contains the settings that a replay needs, without texts', () => {
    expect(buildRecord(aFinishedCall(asked), FACTS).request).toEqual({
      query: '[redacted]',
      keywords: ['[redacted]', '[redacted]'],
      filters: { path_prefix: '[redacted]' },
      top_k: 5,
    });
  });

  it('contains the duration of each stage and of the call', () => {
    const stages = { bm25: 1.25, vector_search: 0.5, fusion: 0.25, graph_expansion: 1 };
    const record = buildRecord(aFinishedCall({ trace: { stages }, durationMs: 10 }), FACTS);
    expect(record.timing_ms).toEqual({
      bm25: 1.25,
      vector_search: 0.5,
      fusion: 0.25,
      rerank: 0,
      graph_expansion: 1,
      context_assembly: 6,
      total: 10,
    });
  });

  it('distinguishes sections returned, over the budget, on another page and below the list', () => {
    const candidates = ['a.md', 'b.md', 'c.md'].map((id, i) => section(id, 3 - i));
    const answer = aRanking({
      candidates: [...candidates, section('d.md', 0)],
      matched: 9,
      dropped: { sameDocument: 3, nearDuplicate: 1 },
    });
    const rankings = [{ ...answer, candidates }];
    const retrieval = { answers: [answer], rankings, listed: ['a.md', 'b.md'], shown: ['a.md'] };
    const record = buildRecord(aFinishedCall({ retrieval }), FACTS);
    expect(record.results.map(({ chunk_id, rank }) => [chunk_id, rank])).toEqual([['a.md', 1]]);
    expect(record.left_out.map(({ chunk_id, fate }) => [chunk_id, fate])).toEqual([
      ['b.md', 'budget'],
      ['c.md', 'other_page'],
      ['d.md', 'below_list'],
    ]);
    expect(record.counts).toEqual({
      candidates_initial: 9,
      candidates_post_filter: 9,
      candidates_post_dedupe: 5,
      returned: 1,
      dropped: { dedupe: 4, veto: 0, scope_mismatch: 0 },
      dedupe: { same_document: 3, near_duplicate: 1, found_twice: 0 },
      not_returned: { below_list: 2, other_page: 1, no_quote: 0, budget: 1 },
    });
  });

  it('counts a section found by two parts twice, and lists it once', () => {
    const parts = [
      aRanking({ candidates: [section('a.md'), section('b.md')], matched: 2 }),
      aRanking({ candidates: [section('b.md')] }),
    ];
    const retrieval = {
      rankings: parts,
      listed: ['b.md'],
      shown: ['b.md'],
      answerable: { verdict: 'likely', confidence: 0.8 },
    };
    const record = buildRecord(aFinishedCall({ retrieval }), FACTS);
    expect(record.counts).toMatchObject({
      candidates_initial: 3,
      candidates_post_dedupe: 2,
      returned: 1,
      dedupe: { found_twice: 1 },
      not_returned: { no_quote: 1 },
    });
    expect(record.answerable).toEqual({ verdict: 'likely', confidence: 0.8 });
    expect(record.config.reranker).toEqual({ enabled: true, provider: 'coverage', model: null });
  });

  it('names the cross-encoder that read the sections, and gives its scores', () => {
    const read = { ...section('a.md', 1.6), rerank: 0.6 };
    const rankings = [aRanking({ candidates: [read, section('b.md')], rerankMs: 3 })];
    const hits = [{ ...aHit('a.md'), rerank: 0.6 }, aHit('b.md')];
    const retrieval = { rankings, answers: rankings.map((ranking) => ({ ...ranking, hits })) };
    const finished = aFinishedCall({ retrieval, trace: { isDebug: true } });
    const record = buildRecord(finished, { ...FACTS, crossEncoder: CROSS_ENCODER });
    expect(record.config.reranker).toEqual({ enabled: true, ...CROSS_ENCODER });
    expect(record.results.map(({ scores }) => scores.rerank)).toEqual([0.6, null]);
    expect(record.pre_dedupe?.map(({ scores }) => scores.rerank)).toEqual([0.6, null]);
  });

  it('names no cross-encoder if none was called', () => {
    const record = buildRecord(aFinishedCall(), { ...FACTS, crossEncoder: CROSS_ENCODER });
    expect(record.config.reranker).toEqual({ enabled: false, provider: null, model: null });
  });

  it('reports whether vectors ranked, and the model that made them', () => {
    const facts = { ...FACTS, embedder: 'all-minilm' };
    const told = (vector: number, degraded: string[] = []) => {
      const fusion = { method: 'convex_combination', params: { words: 1, vector } };
      const retrieval = { rankings: [aRanking({ fusion })] };
      const { scope, config } = buildRecord(aFinishedCall({ retrieval, trace: { degraded } }), facts);
      return [scope.embedding_version, config.hybrid_enabled];
    };
    expect(told(1)).toEqual(['all-minilm', true]);
    expect(told(0, ['vector'])).toEqual(['all-minilm', true]);
    expect(told(0)).toEqual([null, false]);
  });

  it.each([
    ['the graph took part', {}, { graph_expansion: 1 }, FACTS, 'hybrid_local', false],
    ['the tool does not use the graph', {}, {}, FACTS, 'vector_only', false],
    ['the graph is down', { degraded: ['graph'] }, { graph_expansion: 1 }, FACTS, 'vector_only', false],
    ['there is no graph', {}, {}, { ...FACTS, hasGraph: false }, 'vector_only', true],
  ])('has the search mode if %s', (_, trace, stages, facts, mode, neo4jDisabled) => {
    const { config } = buildRecord(aFinishedCall({ trace: { ...trace, stages } }), facts);
    expect(config).toMatchObject({ mode, neo4j_disabled: neo4jDisabled });
  });

  it('names the section that raised another through the graph', () => {
    const lifted = {
      ...section('b.md', 1.5),
      shares: { words: 1, graph: 0.5 },
      completes: 'a.md',
      liftedBy: 'a.md',
    };
    const record = buildRecord(
      aFinishedCall({ retrieval: { rankings: [aRanking({ candidates: [lifted] })] } }),
      FACTS,
    );
    expect(record.results[0]).toMatchObject({
      source: 'graph_expanded',
      scores: { fused: 1.5, graph: 0.5 },
      explain: {
        rrf_field_contributions: { words: 1, graph: 0.5 },
        graph_distance: 1,
        graph_path: ['a.md', 'b.md'],
      },
    });
  });

  it('counts sections that fail the second scope check, and does not describe them', () => {
    const foreign = aCandidate({ section: { id: 'secret.md' }, document: { docTag: 'other' } });
    const own = aCandidate({ section: { id: 'a.md' }, document: { docTag: 'guides' } });
    const answer = aRanking({ candidates: [foreign, own], matched: 2 });
    const record = buildRecord(
      aFinishedCall({
        call: { scope: { projectId: 'docs', environment: 'prod', docTags: ['guides'], repositories: null } },
        retrieval: { answers: [answer], rankings: [{ ...answer, candidates: [own] }] },
      }),
      FACTS,
    );
    expect(JSON.stringify(record)).not.toContain('secret.md');
    expect(record.counts).toMatchObject({
      candidates_initial: 2,
      candidates_post_filter: 1,
      candidates_post_dedupe: 1,
      dropped: { scope_mismatch: 1 },
    });
  });

  it('describes a call that failed before the search', () => {
    const finished = aFinishedCall({ error: failure, trace: { retrieval: null } });
    expect(buildRecord(finished, FACTS)).toMatchObject({
      generation: null,
      results: [],
      error: { code: 'INVALID_ARGUMENT', reason: 'invalid_input', message: null },
      counts: { candidates_initial: 0, returned: 0 },
    });
  });

  it('lists all matches, including dropped ones, if an operator requested it', () => {
    const hit = { sectionId: 'b.md', docTag: 'x', score: 1, lexical: 2, vector: null, shares: {} };
    const answer = aRanking({ hits: [{ ...hit, fate: 'same_document' as const, instead: 'b.md#top' }] });
    const parts = { retrieval: { answers: [answer], rankings: [answer] } };
    expect(buildRecord(aFinishedCall(parts), FACTS).pre_dedupe).toBeUndefined();
    expect(buildRecord(aFinishedCall({ ...parts, trace: { isDebug: true } }), FACTS).pre_dedupe).toEqual([
      {
        rank: 1,
        chunk_id: 'b.md',
        doc_tag: 'x',
        scores: { bm25: 2, vector: null, fused: 1, rerank: null, graph: 0 },
        fate: 'same_document',
        instead: 'b.md#top',
      },
    ]);
  });

  it.each([
    ['nested too deep to be written', nested(20_000)],
    ['longer than any tool accepts', { path_prefix: 'x'.repeat(20_000) }],
  ])('shortens arguments that are %s', (_, filters) => {
    const finished = aFinishedCall({ decisions: { input: { query: 'x', filters } } });
    for (const storesText of [false, true]) {
      const record = buildRecord(finished, { ...FACTS, storesText });
      expect(JSON.stringify(record).length).toBeLessThan(5_000);
    }
  });
});
