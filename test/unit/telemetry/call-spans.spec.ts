import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { DiagnosticRecord } from '../../../src/diagnostics/record/diagnostic-record.js';
import type { CallStart, FinishedCall } from '../../../src/mcp/pipeline/call-watch.js';
import { shortHash, startCallSpan } from '../../../src/telemetry/call-spans.js';
import { aDiagnosticCandidate, aDiagnosticRecord } from '../../support/a-diagnostic.js';
import { aFinishedCall } from '../../support/a-finished-call.js';
import { type RecordedSpans, recordSpans } from '../../support/recorded-spans.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const OTHER = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;
const MARKER = 'xyzzy-secret';

const aStart = (parts: Partial<CallStart> = {}): CallStart => aFinishedCall({ start: parts }).start;

describe('startCallSpan', () => {
  let recorded: RecordedSpans;
  beforeEach(() => {
    recorded = recordSpans();
  });
  afterEach(() => recorded.stop());

  function theSpan(
    start: Partial<CallStart> = {},
    finished: FinishedCall = aFinishedCall(),
    record: DiagnosticRecord | null = null,
  ): ReadableSpan {
    startCallSpan(aStart(start)).end(finished, record);
    const [span] = recorded.spans();
    if (!span) throw new Error('no span was recorded');
    return span;
  }

  it('names a tool call by method and tool, as the conventions for MCP do', () => {
    const span = theSpan();
    expect(span.name).toBe('tools/call kb.search');
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'kb.search',
      'network.transport': 'pipe',
    });
  });

  it.each([
    ['a request without a tool', { method: 'resources/read', tool: null }, 'resources/read'],
    ['a tool that does not exist', { method: 'tools/call', tool: null }, 'tools/call'],
  ])('names %s by its method alone', (_, start, name) => {
    const span = theSpan(start);
    expect(span.name).toBe(name);
    expect(span.attributes).not.toHaveProperty(['gen_ai.tool.name']);
  });

  it('distinguishes HTTP from a pipe', () => {
    expect(theSpan({ transport: 'http' }).attributes).toMatchObject({
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
    });
  });

  it('gives the call the ids of its span', () => {
    const started = startCallSpan(aStart());
    started.end(aFinishedCall(), null);
    const [span] = recorded.spans();
    expect(started.isRecording).toBe(true);
    expect(started.correlation).toEqual({
      traceId: span?.spanContext().traceId,
      spanId: span?.spanContext().spanId,
    });
  });

  it.each([
    ['the request’s _meta', { meta: { traceparent: TRACEPARENT } }],
    ['the HTTP headers', { headers: { traceparent: TRACEPARENT } }],
    [
      'the headers if that of _meta is malformed',
      { meta: { traceparent: 'x' }, headers: { traceparent: TRACEPARENT } },
    ],
    [
      '_meta, which comes before the headers',
      { meta: { traceparent: TRACEPARENT }, headers: { traceparent: OTHER } },
    ],
  ])('continues the trace of %s', (_, start) => {
    const span = theSpan(start);
    expect(span.spanContext().traceId).toBe(TRACE);
    expect(span.parentSpanContext?.spanId).toBe(SPAN);
  });

  it('links the HTTP span of a request that names its own parent', () => {
    const span = theSpan({ meta: { traceparent: TRACEPARENT }, headers: { traceparent: OTHER } });
    expect(span.links.map(({ context }) => context.spanId)).toEqual(['b'.repeat(16)]);
  });

  it('adds no link if both name the same parent', () => {
    expect(
      theSpan({ meta: { traceparent: TRACEPARENT }, headers: { traceparent: TRACEPARENT } }).links,
    ).toEqual([]);
  });

  it('describes a retrieval in its attributes', () => {
    const record = aDiagnosticRecord({
      counts: { returned: 4, dropped: { dedupe: 3, veto: 0, scope_mismatch: 0 } },
      budgets: { partial: true, limit_reason: 'byte_cap' },
      timing_ms: { bm25: 1, vector_search: 2, fusion: 3, rerank: 4, graph_expansion: 5, total: 20 },
      degraded: ['vector'],
    });
    expect(
      theSpan({}, aFinishedCall({ decisions: { input: { top_k: 7 } } }), record).attributes,
    ).toMatchObject({
      'retrieval.diagnostic_id': record.diagnostic_id,
      'retrieval.transport': 'stdio',
      'retrieval.mode': 'hybrid_local',
      'retrieval.top_k': 7,
      'retrieval.returned_count': 4,
      'retrieval.dedupe_dropped': 3,
      'retrieval.partial': true,
      'retrieval.limit_reason': 'byte_cap',
      'retrieval.degraded': ['vector'],
      'retrieval.bm25_ms': 1,
      'retrieval.vector_ms': 2,
      'retrieval.fusion_ms': 3,
      'retrieval.rerank_ms': 4,
      'retrieval.expansion_ms': 5,
      'retrieval.total_ms': 20,
    });
  });

  it('labels a retrieval vector_only if the graph is disabled', () => {
    const record = aDiagnosticRecord({ config: { neo4j_disabled: true } });
    expect(theSpan({}, aFinishedCall(), record).attributes['retrieval.mode']).toBe('vector_only');
  });

  it('labels a retrieval vector_only if the tool does not use the graph', () => {
    const record = aDiagnosticRecord({ config: { mode: 'vector_only', neo4j_disabled: false } });
    expect(theSpan({}, aFinishedCall(), record).attributes['retrieval.mode']).toBe('vector_only');
  });

  it.each([
    ['limit', { limit: 3 }, 3],
    ['max_quotes', { max_quotes: 6 }, 6],
    ['nothing, so it is the number of results', {}, 1],
  ])('reads top_k from the argument: %s', (_, input, topK) => {
    const span = theSpan({}, aFinishedCall({ decisions: { input } }), aDiagnosticRecord());
    expect(span.attributes['retrieval.top_k']).toBe(topK);
  });

  it('names at most three candidates, by a hash of the section id', () => {
    const results = [1, 2, 3, 4, 5].map((rank) =>
      aDiagnosticCandidate({ rank, chunk_id: `guide.md#${rank}`, scores: { fused: 1 / rank } }),
    );
    const { events } = theSpan({}, aFinishedCall(), aDiagnosticRecord({ results }));
    expect(events.map(({ name }) => name)).toEqual(Array(3).fill('retrieval.candidate'));
    expect(events[1]?.attributes).toEqual({
      rank: 2,
      chunk_id: shortHash('guide.md#2'),
      source: 'hybrid',
      final_score: 0.5,
    });
  });

  it('has the score of the reranker and the final score', () => {
    const results = [aDiagnosticCandidate({ scores: { fused: 1.4, rerank: 0.9 } })];
    const [event] = theSpan({}, aFinishedCall(), aDiagnosticRecord({ results })).events;
    expect(event?.attributes).toMatchObject({ final_score: 1.4, rerank_score: 0.9 });
  });

  it('has the status unset after success, and the error code after a failure', () => {
    const error = { code: 'TIMEOUT', reason: 'deadline', message: MARKER } as const;
    const span = theSpan({}, aFinishedCall({ error }));
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: 'TIMEOUT' });
    expect(span.attributes).toMatchObject({ 'error.type': 'TIMEOUT', 'pith.error.reason': 'deadline' });
  });

  it('contains no text of the caller or of a document', () => {
    const record = aDiagnosticRecord({
      results: [aDiagnosticCandidate({ chunk_id: `${MARKER}.md#x`, doc_tag: MARKER })],
      query: { raw: MARKER, normalized: MARKER, rewritten: { applied: true, result: MARKER, reason: null } },
      request: { query: MARKER },
      scope: { doc_tag: MARKER },
      session_id: MARKER,
      correlation_id: MARKER,
      error: { code: 'TIMEOUT', reason: 'deadline', message: MARKER },
    });
    const error = { code: 'TIMEOUT', reason: 'deadline', message: MARKER } as const;
    const finished = aFinishedCall({
      args: { query: MARKER },
      decisions: { input: { query: MARKER } },
      error,
    });
    const meta = { progressToken: MARKER, note: MARKER };
    const { name, attributes, events, status } = theSpan(
      { meta, headers: { cookie: MARKER } },
      finished,
      record,
    );
    expect(JSON.stringify({ name, attributes, events, status })).not.toContain(MARKER);
  });
});

describe('startCallSpan without tracing', () => {
  it('records nothing and returns the ids of the caller', () => {
    const started = startCallSpan(aStart({ meta: { traceparent: TRACEPARENT } }));
    started.end(aFinishedCall(), null);
    expect(started).toMatchObject({
      isRecording: false,
      correlation: { traceId: TRACE, spanId: SPAN },
    });
  });

  it('has no ids if the caller sent none', () => {
    expect(startCallSpan(aStart()).correlation).toEqual({ traceId: null, spanId: null });
  });
});
