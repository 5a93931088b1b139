import { basename } from 'node:path';
import type { Config } from '../../config/config.js';
import type { Call, RetrievalTrace } from '../../core/call.js';
import { NOTHING_RANKED } from '../../core/note-retrieval.js';
import { scopeAllows } from '../../core/scope.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { describeHits, describeLeftOut, describeReturned, rankedList } from './describe-candidates.js';
import { DIAGNOSTIC_SCHEMA_VERSION, type DiagnosticRecord } from './diagnostic-record.js';
import { hashOf, isObject, isShallow, redactArguments } from './redact.js';

type Counts = DiagnosticRecord['counts'];

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/**
 * Counts the outcomes of all matches. The parts of a question are searched separately: a section that several parts
 * find counts as found twice, and once in the later counts.
 * @param ranked  ids of the ranked list, each once
 */
function countCandidates(
  { scope }: Call,
  { answers, listed, shown, answerable }: RetrievalTrace,
  ranked: readonly string[],
): Counts {
  const initial = sum(answers.map(({ matched }) => matched));
  const found = answers.flatMap(({ candidates }) => candidates);
  const visible = found
    .filter(({ document }) => scopeAllows(scope, document))
    .map(({ section }) => section.id);
  const scopeMismatch = found.length - visible.length;
  const dedupe = {
    same_document: sum(answers.map(({ dropped }) => dropped.sameDocument)),
    near_duplicate: sum(answers.map(({ dropped }) => dropped.nearDuplicate)),
    found_twice: visible.length - new Set(visible).size,
  };
  const dropped = sum(Object.values(dedupe));
  const left = initial - scopeMismatch - dropped;
  const inReply = ranked.filter((id) => listed.includes(id)).length;
  const returned = ranked.filter((id) => shown.includes(id)).length;
  const notInReply = ranked.length - inReply;
  return {
    candidates_initial: initial,
    candidates_post_filter: initial - scopeMismatch,
    candidates_post_dedupe: left,
    returned,
    dropped: { dedupe: dropped, veto: 0, scope_mismatch: scopeMismatch },
    dedupe,
    not_returned: {
      below_list: left - ranked.length,
      other_page: answerable ? 0 : notInReply,
      no_quote: answerable ? notInReply : 0,
      budget: inReply - returned,
    },
  };
}

/** Facts that hold for every call of a process. */
export interface RecordFacts {
  readonly hasGraph: boolean;
  /** Name and version of the embedder; null if only words rank. */
  readonly embedder: string | null;
  /** The reranking model; null without one. */
  readonly crossEncoder: { readonly provider: string; readonly model: string | null } | null;
  /** The model that selects quotes; null for word overlap. */
  readonly reranker: string | null;
  /** True if texts of callers are stored. */
  readonly storesText: boolean;
}

/** The base name of a model's folder: records contain no file paths. */
function crossEncoderOf({ reranker, rerankModel }: Config['models']): RecordFacts['crossEncoder'] {
  if (reranker === 'none') return null;
  return { provider: reranker, model: (reranker === 'onnx' ? basename(rerankModel) : rerankModel) || null };
}

export function recordFacts(
  { backends, models, evidence }: Config,
  { embedder, storesText }: Pick<RecordFacts, 'embedder' | 'storesText'>,
): RecordFacts {
  return {
    hasGraph: backends.graph !== 'none',
    embedder,
    crossEncoder: crossEncoderOf(models),
    reranker: evidence.spanReranker === 'none' ? null : evidence.spanReranker,
    storesText,
  };
}

const round = (ms: number): number => Math.round(ms * 1000) / 1000;

function questionOf({ call, args }: FinishedCall): string | null {
  const sent = call.decisions.input ?? (isObject(args) ? args : {});
  const question = sent['query'] ?? sent['question'];
  return typeof question === 'string' ? question : null;
}

/** The query as searched: the words of every part, after rewriting. */
function normalized({ rankings }: RetrievalTrace): string | null {
  return rankings.length === 0 ? null : rankings.map(({ terms }) => terms.join(' ')).join(' | ');
}

function describeQuery(finished: FinishedCall, retrieval: RetrievalTrace, storesText: boolean) {
  const question = questionOf(finished);
  const rewrites = retrieval.rankings.flatMap((ranking) => ranking.rewrites);
  const text = (value: string | null): string | null => (storesText ? value : null);
  return {
    query_hash: question === null ? null : hashOf(question),
    query_length: question?.length ?? 0,
    raw: text(question),
    normalized: text(normalized(retrieval)),
    rewritten: {
      applied: rewrites.length > 0,
      result: text(rewrites.map(({ from, to }) => `${from} → ${to}`).join(', ') || null),
      reason: [...new Set(rewrites.map(({ why }) => why))].join(', ') || null,
    },
  };
}

/** True if vectors took part in ranking or their model was unavailable; false for a small corpus without vectors. */
function hasVectors({ trace }: Call, { rankings }: RetrievalTrace): boolean {
  const ranked = rankings.length === 0 || rankings.some(({ fusion }) => fusion.params['vector'] !== 0);
  return ranked || trace.degraded.includes('vector');
}

function describeScope({ scope }: Call, embeddingVersion: string | null): DiagnosticRecord['scope'] {
  return {
    project_id: scope.projectId,
    environment: scope.environment,
    doc_tag: scope.docTags?.join(',') ?? null,
    repositories: scope.repositories ? [...scope.repositories] : null,
    ...(scope.groups === undefined ? {} : { groups: scope.groups && [...scope.groups] }),
    snapshot_scope: null,
    embedding_version: embeddingVersion,
  };
}

/** The cross-encoder, if it was called (even if it failed); otherwise the model that selected quotes. */
function describeReranker({ answers, answerable }: RetrievalTrace, { crossEncoder, reranker }: RecordFacts) {
  const isRead = answers.some(({ rerankMs }) => rerankMs !== undefined);
  if (crossEncoder && isRead) return { enabled: true, ...crossEncoder };
  const provider = answerable === null ? null : reranker;
  return { enabled: provider !== null, provider, model: null };
}

function describeConfig(
  { trace }: Call,
  retrieval: RetrievalTrace,
  facts: RecordFacts,
): DiagnosticRecord['config'] {
  const { rankings } = retrieval;
  const isExpanded = trace.stages.graph_expansion !== undefined && !trace.degraded.includes('graph');
  const fusion = rankings[0]?.fusion ?? { method: 'none', params: {} };
  return {
    mode: isExpanded ? 'hybrid_local' : 'vector_only',
    neo4j_disabled: !facts.hasGraph,
    hybrid_enabled: facts.embedder !== null,
    reranker: describeReranker(retrieval, facts),
    colbert: { enabled: false, scoring: null },
    fusion: { method: fusion.method, params: { ...fusion.params } },
  };
}

/** Stages add up to at most the total. The rest is spent in checks and waiting for the index. */
function describeTimings({ call, durationMs }: FinishedCall, { rankedAtMs }: RetrievalTrace) {
  const { bm25 = 0, vector_search = 0, fusion = 0, rerank = 0, graph_expansion = 0 } = call.trace.stages;
  const assembly = rankedAtMs === null ? 0 : durationMs - rankedAtMs - rerank;
  return {
    bm25: round(bm25),
    vector_search: round(vector_search),
    fusion: round(fusion),
    rerank: round(rerank),
    graph_expansion: round(graph_expansion),
    context_assembly: round(Math.max(0, assembly)),
    total: round(durationMs),
  };
}

function describeBudget({ usage }: FinishedCall): DiagnosticRecord['budgets'] {
  const { bytes, tokens, isPartial: partial, limitReason: limit_reason, ceilings } = usage;
  const limits = { max_bytes: ceilings.bytes, max_tokens: ceilings.tokens };
  return { response_bytes: bytes, tokens_estimate: tokens, partial, limit_reason, ...limits };
}

function describeError({ error }: FinishedCall, storesText: boolean): DiagnosticRecord['error'] {
  return error && { code: error.code, reason: error.reason, message: storesText ? error.message : null };
}

/** Maximum size of stored arguments, in characters. */
const MAX_REQUEST = 16_384;

/** True if arguments have a usual size. Older contracts limit neither depth nor length. */
function isModest(input: Readonly<Record<string, unknown>>): boolean {
  return isShallow(input) && JSON.stringify(input).length <= MAX_REQUEST;
}

/** The arguments that a replay needs. A refused call may contain private text even in argument names. */
function describeRequest({ call, error }: FinishedCall, storesText: boolean): DiagnosticRecord['request'] {
  const { input } = call.decisions;
  if (!input || (error && !storesText)) return null;
  if (storesText && isModest(input)) return { ...input };
  return redactArguments(input);
}

/** Builds the record of a finished retrieval. */
export function buildRecord(finished: FinishedCall, facts: RecordFacts): DiagnosticRecord {
  const { call, start, durationMs } = finished;
  const { trace, caller, correlation } = call;
  const retrieval = trace.retrieval ?? NOTHING_RANKED;
  const ranked = rankedList(retrieval);
  const vectors = hasVectors(call, retrieval) ? facts.embedder : null;
  return {
    schema_version: DIAGNOSTIC_SCHEMA_VERSION,
    diagnostic_id: call.id,
    timestamp: new Date(call.now() - durationMs).toISOString(),
    transport: start.transport,
    tool: start.tool ?? 'unknown',
    session_id: caller.sessionId,
    principal: caller.principal,
    correlation_id: correlation.correlationId,
    otel: { trace_id: correlation.traceId, span_id: correlation.spanId },
    generation: retrieval.rankings[0]?.generation ?? null,
    scope: describeScope(call, vectors),
    query: describeQuery(finished, retrieval, facts.storesText),
    request: describeRequest(finished, facts.storesText),
    config: describeConfig(call, retrieval, { ...facts, embedder: vectors }),
    timing_ms: describeTimings(finished, retrieval),
    counts: countCandidates(call, retrieval, [...ranked.keys()]),
    results: describeReturned(retrieval, ranked),
    left_out: describeLeftOut(call, retrieval, ranked),
    ...(trace.isDebug ? { pre_dedupe: describeHits(retrieval) } : {}),
    answerable: retrieval.answerable,
    degraded: [...trace.degraded],
    budgets: describeBudget(finished),
    error: describeError(finished, facts.storesText),
  };
}
