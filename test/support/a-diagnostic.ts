import {
  DIAGNOSTIC_SCHEMA_VERSION,
  type DiagnosticCandidate,
  type DiagnosticHit,
  type DiagnosticRecord,
  type LeftOutCandidate,
} from '../../src/diagnostics/record/diagnostic-record.js';

/** Parts that can be given field by field; the others are given as a whole. */
type Grouped = 'otel' | 'scope' | 'query' | 'config' | 'timing_ms' | 'counts' | 'budgets';
export type DiagnosticParts = Partial<Omit<DiagnosticRecord, Grouped>> & {
  readonly [G in Grouped]?: Partial<DiagnosticRecord[G]>;
};

type CandidateParts = Partial<Omit<DiagnosticCandidate, 'scores' | 'explain'>> & {
  readonly scores?: Partial<DiagnosticCandidate['scores']>;
  readonly explain?: Partial<DiagnosticCandidate['explain']>;
};

const SCORES: DiagnosticCandidate['scores'] = { bm25: 7.5, vector: 0.5, fused: 0.75, rerank: null, graph: 0 };

const EXPLAIN: DiagnosticCandidate['explain'] = {
  rrf_field_contributions: { text: 0.5, vector: 0.25 },
  entity_boost_applied: false,
  entity_metadata: {},
  graph_distance: 0,
  graph_path: [],
};

/** A returned section. */
export function aDiagnosticCandidate(parts: CandidateParts = {}): DiagnosticCandidate {
  const { scores, explain, ...rest } = parts;
  return {
    rank: 1,
    chunk_id: 'guide.md#use',
    doc_tag: 'guides',
    token_count: 120,
    source: 'hybrid',
    ...rest,
    scores: { ...SCORES, ...scores },
    explain: { ...EXPLAIN, ...explain },
  };
}

/** A section that was ranked but not returned. */
export function aLeftOutCandidate(
  parts: CandidateParts & Partial<Pick<LeftOutCandidate, 'fate' | 'instead'>> = {},
): LeftOutCandidate {
  const { fate = 'below_list', instead = null, ...rest } = parts;
  return { ...aDiagnosticCandidate(rest), fate, instead };
}

/** A matching row. */
export function aDiagnosticHit(parts: Partial<DiagnosticHit> = {}): DiagnosticHit {
  return {
    rank: 1,
    chunk_id: 'guide.md#use',
    doc_tag: 'guides',
    scores: SCORES,
    fate: 'returned',
    instead: null,
    ...parts,
  };
}

const CONFIG: DiagnosticRecord['config'] = {
  neo4j_disabled: false,
  hybrid_enabled: true,
  reranker: { enabled: false, provider: null, model: null },
  colbert: { enabled: false, scoring: null },
  fusion: { method: 'weighted_sum', params: {} },
};

const TIMING_MS: DiagnosticRecord['timing_ms'] = {
  bm25: 1.25,
  vector_search: 0.5,
  fusion: 0.25,
  rerank: 0,
  graph_expansion: 0,
  context_assembly: 0.75,
  total: 3.5,
};

const COUNTS: DiagnosticRecord['counts'] = {
  candidates_initial: 1,
  candidates_post_filter: 1,
  candidates_post_dedupe: 1,
  returned: 1,
  dropped: { dedupe: 0, veto: 0, scope_mismatch: 0 },
  dedupe: { same_document: 0, near_duplicate: 0, found_twice: 0 },
  not_returned: { below_list: 0, other_page: 0, no_quote: 0, budget: 0 },
};

const BUDGETS: DiagnosticRecord['budgets'] = {
  response_bytes: 900,
  tokens_estimate: 225,
  partial: false,
  limit_reason: 'none',
  max_bytes: 16_384,
  max_tokens: 4_000,
};

/** Hash of 'how do I use it?'. */
const QUERY_HASH = '3861cf23823c95b1f3404a9b3d98561ad963462010da058372fc5c258b96335d';

/** The diagnostic of a search that found one section. */
export function aDiagnosticRecord(parts: DiagnosticParts = {}): DiagnosticRecord {
  const { otel, scope, query, config, timing_ms, counts, budgets, ...rest } = parts;
  return {
    schema_version: DIAGNOSTIC_SCHEMA_VERSION,
    diagnostic_id: '11111111-1111-4111-8111-111111111111',
    timestamp: '2026-01-01T00:00:00.000Z',
    transport: 'stdio',
    tool: 'kb.search',
    session_id: 'session',
    principal: 'local',
    correlation_id: null,
    generation: 'generation-1',
    request: { query: '[redacted]' },
    results: [aDiagnosticCandidate()],
    left_out: [],
    answerable: null,
    degraded: [],
    error: null,
    ...rest,
    otel: { trace_id: null, span_id: null, ...otel },
    scope: {
      project_id: 'project',
      environment: 'development',
      doc_tag: null,
      repositories: null,
      snapshot_scope: null,
      embedding_version: 'lsa-1',
      ...scope,
    },
    query: {
      query_hash: QUERY_HASH,
      query_length: 16,
      raw: null,
      normalized: null,
      rewritten: { applied: false, result: null, reason: null },
      ...query,
    },
    config: { ...CONFIG, ...config },
    timing_ms: { ...TIMING_MS, ...timing_ms },
    counts: { ...COUNTS, ...counts },
    budgets: { ...BUDGETS, ...budgets },
  };
}
