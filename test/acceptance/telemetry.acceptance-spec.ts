import { randomUUID } from 'node:crypto';
import {
  ADMIN_TOKEN,
  type Beside,
  BOTH_TRANSPORTS,
  callIdOf,
  type DiagnosedServer,
  openDiagnosed,
  stopDiagnosed,
} from '../support/diagnosed-server.js';
import { at, listAt } from '../support/diagnostic-laws.js';
import { outcomeOf } from '../support/failures.js';
import { httpRequest } from '../support/http-request.js';
import { listedModulesEnv, loadedModules, telemetryModules } from '../support/loaded-modules.js';
import { type CallResult, connectClient, type TransportName } from '../support/mcp-clients.js';
import { type OtlpCollector, type SentSpan, startOtlpCollector } from '../support/otlp-collector.js';
import { pithIndex, poll, timed } from '../support/processes.js';
import { FIXTURE_CORPUS, testFolder } from '../support/test-folder.js';

const folder = testFolder();
const index = folder.file('index.sqlite');
const SEARCH = { query: 'ship berth harbour list', options: { max_per_doc: 3 } };
const QUESTION = { question: 'When does a ship leave the waiting list?' };
const RETRIEVALS = [
  ['kb.search', SEARCH],
  ['kb.retrieve_evidence', QUESTION],
] as const;

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';
const TRACEPARENT = `00-${TRACE}-${SPAN}-01`;
const OTHER_TRACE = '0af7651916cd43dd8448eb211c80319c';

/** Attributes of a retrieval's span in the plan's §6.1, and their types. */
const ATTRIBUTES = {
  'retrieval.diagnostic_id': expect.any(String),
  'retrieval.transport': expect.stringMatching(/^(?:stdio|http)$/),
  'retrieval.mode': expect.stringMatching(/^(?:vector_only|hybrid_local)$/),
  'retrieval.top_k': expect.any(Number),
  'retrieval.returned_count': expect.any(Number),
  'retrieval.dedupe_dropped': expect.any(Number),
  'retrieval.partial': expect.any(Boolean),
  'retrieval.limit_reason': expect.stringMatching(/^(?:none|token_cap|byte_cap|page_size)$/),
  'retrieval.bm25_ms': expect.any(Number),
  'retrieval.vector_ms': expect.any(Number),
  'retrieval.fusion_ms': expect.any(Number),
  'retrieval.rerank_ms': expect.any(Number),
  'retrieval.expansion_ms': expect.any(Number),
  'retrieval.total_ms': expect.any(Number),
};

let collector: OtlpCollector;
let traced: Record<TransportName, DiagnosedServer>;
let plain: Record<TransportName, DiagnosedServer>;

async function open(
  name: string,
  env: Record<string, string>,
): Promise<Record<TransportName, DiagnosedServer>> {
  const at = (transport: TransportName) => ({ index, folder: folder.file(`${name} ${transport}`), env });
  const [stdio, http] = await Promise.all(
    BOTH_TRANSPORTS.map((transport) => openDiagnosed(transport, at(transport))),
  );
  if (!stdio || !http) throw new Error('no servers');
  return { stdio, http };
}

beforeAll(async () => {
  collector = await startOtlpCollector();
  await pithIndex(FIXTURE_CORPUS, index);
  traced = await open('traced', {
    ...collector.env,
    RETRIEVAL_DIAGNOSTICS_FORCE: '1',
    PITH_GRAPH_ENGINE: 'none',
  });
  plain = await open('plain', { ...collector.env, RETRIEVAL_DIAGNOSTICS_SAMPLE_RATE: '0' });
}, 60_000);

afterAll(async () => {
  await stopDiagnosed();
  await collector.close();
  folder.remove();
});

/** The span of a retrieval, found by the id in the result, as operators do. */
const spanOf = (result: CallResult): Promise<SentSpan> =>
  poll(`a span of ${callIdOf(result)}`, () =>
    collector.spans().find((span) => span.attributes['retrieval.diagnostic_id'] === callIdOf(result)),
  );

describe.each(BOTH_TRANSPORTS)('§8.4 the span of a retrieval, over %s', (transport) => {
  it.each(RETRIEVALS)('of %s has the attributes of the plan', async (tool, args) => {
    const span = await spanOf(await traced[transport].call(tool, args));
    expect(span.attributes).toMatchObject(ATTRIBUTES);
    expect(span.attributes).toMatchObject({ 'retrieval.transport': transport });
    expect(span.name).toContain(tool);
  });

  it.each(RETRIEVALS)('of %s has the values and the ids of the record', async (tool, args) => {
    const result = await traced[transport].call(tool, args);
    const [record, { traceId, spanId, attributes }] = [
      await traced[transport].recordOf(result),
      await spanOf(result),
    ];
    expect(record['otel']).toEqual({ trace_id: traceId, span_id: spanId });
    expect(attributes).toMatchObject({
      'retrieval.returned_count': at(record, 'counts.returned'),
      'retrieval.dedupe_dropped': at(record, 'counts.dropped.dedupe'),
      'retrieval.partial': at(record, 'budgets.partial'),
      'retrieval.limit_reason': at(record, 'budgets.limit_reason'),
      'retrieval.bm25_ms': at(record, 'timing_ms.bm25'),
      'retrieval.vector_ms': at(record, 'timing_ms.vector_search'),
      'retrieval.fusion_ms': at(record, 'timing_ms.fusion'),
      'retrieval.rerank_ms': at(record, 'timing_ms.rerank'),
      'retrieval.expansion_ms': at(record, 'timing_ms.graph_expansion'),
      'retrieval.total_ms': at(record, 'timing_ms.total'),
    });
  });

  it('also exists for calls without an artifact', async () => {
    const result = await plain[transport].call('kb.search', { ...SEARCH, top_k: 4 });
    expect((await spanOf(result)).attributes).toMatchObject({ ...ATTRIBUTES, 'retrieval.top_k': 4 });
    expect(plain[transport].records().map((record) => record.diagnostic_id)).not.toContain(callIdOf(result));
  });

  it('has exactly three events, for the best three results', async () => {
    const result = await traced[transport].call('kb.search', { ...SEARCH, top_k: 12, page_size: 12 });
    const events = (await spanOf(result)).events.filter(({ name }) => name === 'retrieval.candidate');
    const rows = listAt(result.structuredContent, 'results');
    expect(rows.length).toBeGreaterThan(3);
    expect(
      events.map(({ attributes }) => [attributes['rank'], attributes['source'], attributes['final_score']]),
    ).toEqual(rows.slice(0, 3).map((row) => [row['rank'], row['source'], row['score']]));
    expect(events.every(({ attributes }) => /^[0-9a-f]{8,}$/.test(String(attributes['chunk_id'])))).toBe(
      true,
    );
  });

  it('has as many events as results if there are fewer', async () => {
    const result = await traced[transport].call('kb.search', { query: 'ship', top_k: 2 });
    const events = (await spanOf(result)).events;
    expect(events).toHaveLength(listAt(result.structuredContent, 'results').length);
  });

  it('has no attributes for candidates, and no text of the query', async () => {
    const span = await spanOf(await traced[transport].call('kb.search', SEARCH));
    const names = Object.keys(span.attributes).join();
    expect(names).not.toMatch(/chunk|doc_tag|query|question|session|path/);
    expect(JSON.stringify(span)).not.toMatch(/waiting-list|berth/);
  });

  it('names the degraded part', async () => {
    const args = { ...SEARCH, options: { mode: 'hybrid_local' } };
    const span = await spanOf(await traced[transport].call('kb.search', args));
    expect(span.attributes).toHaveProperty(['retrieval.degraded'], ['graph']);
  });

  it('of a failed call has its code as status, and no message', async () => {
    const result = await traced[transport].call('kb.search', {
      query: 'ship',
      scope: { project_id: 'another' },
    });
    const span = await spanOf(result);
    expect(outcomeOf(result)).toBe('SCOPE_VIOLATION');
    expect(span.status).toMatchObject({ code: 2, message: 'SCOPE_VIOLATION' });
    expect(span.attributes).toMatchObject({ 'error.type': 'SCOPE_VIOLATION' });
    expect(JSON.stringify(span)).not.toContain('another');
  });
});

describe.each(BOTH_TRANSPORTS)('a trace that the client began, over %s', (transport) => {
  const call = (beside: Beside) => traced[transport].call('kb.search', SEARCH, beside);

  it('continues traceparent in _meta', async () => {
    const result = await call({ meta: { traceparent: TRACEPARENT } });
    const span = await spanOf(result);
    expect(span).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
    expect(span.spanId).not.toBe(SPAN);
    expect(await traced[transport].recordOf(result)).toMatchObject({
      otel: { trace_id: TRACE, span_id: span.spanId },
    });
  });

  it.each([
    ['garbage', 'hello'],
    ['an empty trace', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['an empty span', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['upper case', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['the forbidden version', `ff-${TRACE}-${SPAN}-01`],
    ['a number', 7],
  ])('starts anew if traceparent is %s', async (_, traceparent) => {
    const span = await spanOf(await call({ meta: { traceparent } }));
    expect(span.parentSpanId).toBeUndefined();
    expect(span.traceId).toMatch(/^(?!0+$)[0-9a-f]{32}$/);
    expect(span.traceId).not.toBe(TRACE);
  });

  it('starts anew for every call without one', async () => {
    const [one, other] = [await spanOf(await call({})), await spanOf(await call({}))];
    expect(one.traceId).not.toBe(other.traceId);
  });
});

describe('a trace in HTTP headers', () => {
  it('is continued', async () => {
    const result = await traced.http.call('kb.search', SEARCH, { headers: { traceparent: TRACEPARENT } });
    expect(await spanOf(result)).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
  });

  it('comes after the one in _meta, which is closer to the call', async () => {
    const result = await traced.http.call('kb.search', SEARCH, {
      meta: { traceparent: TRACEPARENT },
      headers: { traceparent: `00-${OTHER_TRACE}-${SPAN}-01` },
    });
    expect(await spanOf(result)).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
  });

  it.each(['v1', 'v2'] as const)('is continued for a %s client', async (era) => {
    const { url } = traced.http;
    const client = await connectClient({
      era,
      transport: 'http',
      index,
      url,
      headers: { traceparent: TRACEPARENT },
    });
    const result = await client.call('kb.search', SEARCH);
    await client.close();
    expect(await spanOf(result)).toMatchObject({ traceId: TRACE, parentSpanId: SPAN });
  });
});

describe.each(BOTH_TRANSPORTS)('§6.2 the log record of a diagnostic, over %s', (transport) => {
  it('is one, at INFO, with the ids of the span and the paths of the files, without candidates', async () => {
    const result = await traced[transport].call('kb.search', SEARCH, { meta: { traceparent: TRACEPARENT } });
    const span = await spanOf(result);
    const mine = () =>
      collector.logs().filter(({ attributes }) => attributes['diagnostic_id'] === callIdOf(result));
    await poll('a log record', () => (mine().length > 0 ? true : undefined));
    await traced[transport].settled();
    expect(mine()).toHaveLength(1);
    expect(mine()[0]).toMatchObject({ severityText: 'INFO', traceId: TRACE, spanId: span.spanId });
    expect(mine()[0]?.attributes).toMatchObject({
      jsonl: expect.stringMatching(/retrieval_diagnostics\.jsonl$/),
      markdown: expect.stringMatching(new RegExp(`${callIdOf(result)}\\.md$`)),
    });
    expect(JSON.stringify(mine())).not.toContain('waiting-list');
  });

  it('does not exist if no diagnostic was written', async () => {
    const result = await plain[transport].call('kb.search', SEARCH);
    await spanOf(result);
    await plain[transport].settled();
    expect(collector.logs().map(({ attributes }) => attributes['diagnostic_id'])).not.toContain(
      callIdOf(result),
    );
  });
});

/** Labels with a fixed set of values. */
const LABELS = [
  'method',
  'tool',
  'outcome',
  'code',
  'stage',
  'limit_reason',
  'reason',
  'leg',
  'le',
  'version',
];
/** Metrics of the runtime. */
const RUNTIME = ['kind', 'space', 'type', 'major', 'minor', 'patch', 'quantile'];

/** Series of the text format, without their values. */
const seriesIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/ \S+$/, ''));

describe('§8.5 and §9.4 the labels of metrics', () => {
  let server: DiagnosedServer;
  let metrics: () => Promise<string>;

  beforeAll(async () => {
    const env = { ...collector.env, RETRIEVAL_DIAGNOSTICS_FORCE: '1' };
    server = await openDiagnosed('http', { index, folder: folder.file('metered'), env, isOperator: true });
    metrics = async () => {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      const { status, body } = await httpRequest(new URL('/metrics', server.url).href, {
        method: 'GET',
        headers,
      });
      expect(status).toBe(200);
      return body;
    };
  }, 30_000);

  /** One call for everything that makes a series. */
  async function onceEach(mark: string): Promise<void> {
    await server.call('kb.search', { query: `ship ${mark}` });
    await server.call('kb.search', { query: `ship berth ${mark}`, top_k: 5, page_size: 1 });
    await server.call('kb.retrieve_evidence', { question: `${mark} ship?`, keywords: [mark] });
    await server.call('kb.search', { query: mark, scope: { project_id: mark } });
    await server.call('kb.search', { query: mark, scope: { doc_tags: [mark] } });
    await server.call('kb.search', { query: mark, cursor: mark });
    await server.call('kb.search', { query: 'ship', filters: { doc_tag: ['guide'] } });
    await server.call('kb.search', { [mark]: mark });
    await server.request('tools/call', { name: mark, arguments: {} });
    await server.request('resources/read', { uri: `wekadocs://${mark}/${mark}` });
    await server.request(mark);
  }

  it('are the same after 300 distinct queries, and contain no text of them', async () => {
    for (const mark of ['warmupone', 'warmuptwo']) await onceEach(mark);
    const before = seriesIn(await metrics());
    for (let i = 0; i < 300; i += 20) {
      const queries = Array.from({ length: 20 }, (_, k) => `query${i + k}x ship`);
      await Promise.all(queries.map((query) => server.call('kb.search', { query })));
    }
    for (let i = 0; i < 5; i++) await onceEach(`mark${i}x`);
    const text = await metrics();
    const added = seriesIn(text).filter((series) => !before.includes(series));
    expect(added).toEqual([]);
    expect(text).not.toMatch(/query\d+x|mark\d+x|warmup/);
  });

  it('have known names and values from fixed sets', async () => {
    const text = await metrics();
    const ours = seriesIn(text).filter((series) => series.startsWith('pith_'));
    const names = new Set(
      ours.flatMap((series) => [...series.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name)),
    );
    const all = new Set(
      seriesIn(text).flatMap((series) => [...series.matchAll(/[{,](\w+)="/g)].map(([, name = '']) => name)),
    );
    expect([...names].filter((name) => !LABELS.includes(name))).toEqual([]);
    expect([...all].filter((name) => ![...LABELS, ...RUNTIME].includes(name))).toEqual([]);
    expect(ours.length).toBeGreaterThan(50);
    expect(ours.length).toBeLessThan(1_000);
  });

  it('contain no section, tag, session or id', async () => {
    const result = await server.call('kb.search', SEARCH);
    const ids = [
      callIdOf(result),
      String(result.structuredContent?.['session_id']),
      'guides/',
      'waiting-list',
      'harbour',
    ];
    const text = await metrics();
    expect(ids.filter((id) => text.includes(id))).toEqual([]);
    expect(text).not.toMatch(/chunk_id|doc_tag|diagnostic_id/);
  });

  it.each([
    ['calls', /^pith_calls_total\{.*tool="kb\.search".*\} [1-9]/m],
    ['errors by code', /^pith_call_errors_total\{.*code="SCOPE_VIOLATION".*\} [1-9]/m],
    ['latency by tool', /^pith_call_duration_seconds_count\{.*tool="kb\.search".*\} [1-9]/m],
    ['latency by stage', /^pith_stage_duration_seconds_count\{.*stage="bm25".*\} [1-9]/m],
    ['response bytes', /^pith_response_bytes_count\{.*\} [1-9]/m],
    ['truncations', /^pith_truncations_total\{.*limit_reason="page_size".*\} [1-9]/m],
    ['refusals', /^pith_calls_total\{.*tool="kb\.search".*outcome="refused"\} [1-9]/m],
    ['use of cursors', /^pith_cursor_calls_total\{.*\} [1-9]/m],
    ['sections dropped as duplicates', /^pith_dedupe_dropped_total\{.*\} [1-9]/m],
    ['bytes of scratch', /^pith_scratch_bytes [1-9]/m],
    ['evictions of scratch', /^pith_scratch_evictions_total \d/m],
    ['the length of the queue', /^pith_diagnostics_queued \d/m],
  ])('count %s', async (_, line) => {
    expect(await metrics()).toMatch(line);
  });

  it('count truncated excerpts, and no refusal as a failure', async () => {
    const found = await server.call('kb.search', SEARCH);
    const [{ passage_id } = { passage_id: '' }] = listAt(found.structuredContent, 'results');
    const read = await server.call('kb.read_excerpt', { passage_id, max_tokens: 16 });
    expect(read.structuredContent).toMatchObject({ truncated: true });
    const text = await metrics();
    expect(text).toMatch(/^pith_truncations_total\{tool="kb\.read_excerpt",limit_reason="token_cap"\} 1$/m);
    expect(text).not.toMatch(/^pith_calls_total\{.*outcome="error"/m);
  });

  it('are the same at the collector', async () => {
    const sent = await poll('metrics', () => {
      const ours = collector.metrics().filter(({ name }) => name.startsWith('pith_'));
      return ours.some(({ name }) => name === 'pith_calls_total') ? ours : undefined;
    });
    const names = new Set(
      sent.flatMap(({ points }) => points.flatMap(({ attributes }) => Object.keys(attributes))),
    );
    expect([...names].filter((name) => !LABELS.includes(name))).toEqual([]);
    expect(JSON.stringify(sent)).not.toMatch(/query\d+x|mark\d+x|warmup/);
  });
});

describe.each(BOTH_TRANSPORTS)('§9.4 without a collector, over %s', (transport) => {
  it('no module of the SDK is loaded', async () => {
    const list = folder.file(`modules ${transport}`);
    const env = { ...listedModulesEnv(list), RETRIEVAL_DIAGNOSTICS_FORCE: '1' };
    const server = await openDiagnosed(transport, { index, folder: folder.file(`unset ${transport}`), env });
    await server.recordOf(await server.call('kb.search', SEARCH, { meta: { traceparent: TRACEPARENT } }));
    await server.stop();
    expect(loadedModules(list).length).toBeGreaterThan(0);
    expect(telemetryModules(list)).toEqual([]);
  });

  it('that answers, calls are answered as usual, and the process ends', async () => {
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9', RETRIEVAL_DIAGNOSTICS_FORCE: '1' };
    const records = folder.file(`down ${transport} ${randomUUID()}`);
    const server = await openDiagnosed(transport, { index, folder: records, env });
    const { value, ms } = await timed(
      Promise.all(Array.from({ length: 40 }, () => server.call('kb.search', SEARCH))),
    );
    // A server over STDIO that is told to stop writes for 250 ms at most.
    await poll('all records', () => server.records()[39]);
    const end = await timed(server.stop());
    expect(new Set(value.map(outcomeOf))).toEqual(new Set(['ok']));
    expect(ms).toBeLessThan(10_000);
    expect(end.ms).toBeLessThan(10_000);
    expect(end.value.code).toBe(0);
    expect(
      end.value.stderr.split('\n').filter((line) => line.includes('telemetry')).length,
    ).toBeLessThanOrEqual(1);
    expect(server.records()).toHaveLength(40);
  });
});

it('with telemetry switched off no module of the SDK is loaded, for any collector', async () => {
  const list = folder.file('modules off');
  const env = { ...listedModulesEnv(list), ...collector.env, OTEL_SDK_DISABLED: 'true' };
  const server = await openDiagnosed('stdio', { index, folder: folder.file('off'), env });
  await server.call('kb.search', SEARCH);
  await server.stop();
  expect(telemetryModules(list)).toEqual([]);
});

it('a collector that refuses data affects no call and no record', async () => {
  const refusing = await startOtlpCollector();
  refusing.answerWith(503);
  const env = { ...refusing.env, RETRIEVAL_DIAGNOSTICS_FORCE: '1' };
  const server = await openDiagnosed('http', { index, folder: folder.file('refused'), env });
  const result = await server.call('kb.search', SEARCH);
  await server.recordOf(result);
  await server.stop();
  await refusing.close();
  expect(outcomeOf(result)).toBe('ok');
});
