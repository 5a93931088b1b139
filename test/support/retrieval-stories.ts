import type { DiagnosticRecord } from '../../src/diagnostics/record/diagnostic-record.js';
import {
  aDiagnosticCandidate,
  aDiagnosticHit,
  aDiagnosticRecord,
  aLeftOutCandidate,
} from './a-diagnostic.js';

const idOf = (n: number): string => `0000000${n}-0000-4000-8000-000000000000`;

/** Examples of successful and failed retrievals, for the admin console. */
export const STORIES = {
  unlikely: aDiagnosticRecord({
    diagnostic_id: idOf(1),
    timestamp: '2026-01-31T13:59:12.345Z',
    tool: 'kb.retrieve_evidence',
    transport: 'http',
    principal: 'bearer',
    answerable: { verdict: 'unlikely', confidence: 0.12 },
    query: { query_length: 64 },
    config: { fusion: { method: 'weighted_sum', params: { words: 1, title: 0.3, vector: 0.5 } } },
    timing_ms: {
      bm25: 4.2,
      vector_search: 2.9,
      fusion: 1.1,
      graph_expansion: 0.6,
      context_assembly: 3.4,
      total: 14.8,
    },
    counts: {
      candidates_initial: 41,
      candidates_post_filter: 41,
      candidates_post_dedupe: 15,
      returned: 3,
      dropped: { dedupe: 26, veto: 0, scope_mismatch: 0 },
      dedupe: { same_document: 22, near_duplicate: 4, found_twice: 0 },
      not_returned: { below_list: 11, other_page: 0, no_quote: 1, budget: 0 },
    },
    results: [
      aDiagnosticCandidate({
        chunk_id: 'reference/docs-conceptual/learn/experimental-features.md#psfeedbackprovider',
        scores: { bm25: 18.41, vector: 0.61, fused: 1.41 },
        explain: { rrf_field_contributions: { words: 1, title: 0.11, vector: 0.3 } },
      }),
      aDiagnosticCandidate({
        rank: 2,
        chunk_id:
          'reference/7.5/Microsoft.PowerShell.Core/About/about_Feedback_Providers.md#long-description',
        scores: { bm25: 14.02, vector: 0.66, fused: 1.32 },
        explain: { rrf_field_contributions: { words: 0.76, title: 0.21, vector: 0.35 } },
      }),
      aDiagnosticCandidate({
        rank: 3,
        chunk_id: 'reference/7.5/Microsoft.PowerShell.Core/Enable-ExperimentalFeature.md#examples',
        source: 'graph_expanded',
        scores: { bm25: 7.7, vector: null, fused: 0.9, graph: 0.25 },
        explain: {
          rrf_field_contributions: { words: 0.42, vector: 0.23, graph: 0.25 },
          graph_distance: 1,
          graph_path: [
            'reference/docs-conceptual/learn/experimental-features.md#psfeedbackprovider',
            'reference/7.5/Microsoft.PowerShell.Core/Enable-ExperimentalFeature.md#examples',
          ],
        },
      }),
    ],
    left_out: [
      aLeftOutCandidate({
        rank: 4,
        chunk_id:
          'reference/7.4/Microsoft.PowerShell.Core/About/about_Feedback_Providers.md#long-description',
        fate: 'near_duplicate',
        instead: 'reference/7.5/Microsoft.PowerShell.Core/About/about_Feedback_Providers.md#long-description',
        scores: { bm25: 13.9, vector: 0.66, fused: 1.3 },
        explain: { rrf_field_contributions: { words: 0.75, title: 0.21, vector: 0.34 } },
      }),
      aLeftOutCandidate({
        rank: 5,
        chunk_id: 'reference/docs-conceptual/whats-new/What-s-New-in-PowerShell-74.md#experimental-features',
        fate: 'below_list',
        scores: { bm25: 6.1, vector: 0.4, fused: 0.52 },
        explain: { rrf_field_contributions: { words: 0.33, vector: 0.19 } },
      }),
    ],
    budgets: { response_bytes: 9_412, tokens_estimate: 2_210 },
  }),
  nothing: aDiagnosticRecord({
    diagnostic_id: idOf(2),
    timestamp: '2026-01-31T13:41:07.100Z',
    results: [],
    query: { query_length: 23 },
    scope: { doc_tag: 'REGPACK-08', project_id: 'wekadocs-matrix' },
    timing_ms: { bm25: 0.4, vector_search: 0, fusion: 0.05, context_assembly: 0.1, total: 0.9 },
    counts: {
      candidates_initial: 0,
      candidates_post_filter: 0,
      candidates_post_dedupe: 0,
      returned: 0,
    },
    budgets: { response_bytes: 310, tokens_estimate: 80 },
  }),
  timeout: aDiagnosticRecord({
    diagnostic_id: idOf(3),
    timestamp: '2026-01-31T12:15:00.000Z',
    tool: 'kb.retrieve_evidence',
    transport: 'http',
    generation: null,
    results: [],
    degraded: ['vector'],
    correlation_id: 'req-7f31',
    otel: { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7' },
    error: { code: 'TIMEOUT', reason: 'deadline', message: null },
    timing_ms: { bm25: 3.2, vector_search: 9_880, fusion: 0, context_assembly: 0, total: 10_003 },
    counts: {
      candidates_initial: 0,
      candidates_post_filter: 0,
      candidates_post_dedupe: 0,
      returned: 0,
    },
    budgets: { response_bytes: 420, tokens_estimate: 105 },
  }),
  cut: aDiagnosticRecord({
    diagnostic_id: idOf(4),
    timestamp: '2026-01-31T11:02:31.000Z',
    answerable: { verdict: 'likely', confidence: 0.84 },
    counts: {
      candidates_initial: 120,
      candidates_post_filter: 118,
      candidates_post_dedupe: 90,
      returned: 8,
      dropped: { dedupe: 28, veto: 0, scope_mismatch: 2 },
      dedupe: { same_document: 20, near_duplicate: 6, found_twice: 2 },
      not_returned: { below_list: 70, other_page: 10, no_quote: 0, budget: 2 },
    },
    pre_dedupe: [
      aDiagnosticHit(),
      aDiagnosticHit({ rank: 2, chunk_id: 'guide.md#install', fate: 'same_document' }),
    ],
    budgets: { response_bytes: 16_384, tokens_estimate: 4_000, partial: true, limit_reason: 'token_cap' },
  }),
  good: aDiagnosticRecord({ diagnostic_id: idOf(5), timestamp: '2026-01-31T10:20:00.000Z' }),
} as const satisfies Readonly<Record<string, DiagnosticRecord>>;

/** Newest first. */
export const ALL_STORIES: readonly DiagnosticRecord[] = Object.values(STORIES);
