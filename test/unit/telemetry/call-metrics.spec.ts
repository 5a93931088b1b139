import { CallMetrics } from '../../../src/telemetry/call-metrics.js';
import { aFinishedCall } from '../../support/a-finished-call.js';

const TOOLS = ['kb.search', 'kb.retrieve_evidence'];
const failure = { code: 'TIMEOUT', reason: 'deadline', message: 'too slow' } as const;
const USAGE = aFinishedCall().usage;

type Parts = Parameters<typeof aFinishedCall>[0];

async function textAfter(...calls: readonly Parts[]): Promise<string> {
  const metrics = new CallMetrics(TOOLS);
  for (const parts of calls) metrics.observe(aFinishedCall(parts));
  return metrics.text();
}

/** Names of labels and their values, apart from the bounds of histograms. */
function labelsIn(text: string): string[] {
  return [...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)]
    .filter(([, name]) => name !== 'le')
    .map(([label]) => label);
}

describe('CallMetrics', () => {
  it.each<[string, Parts, string]>([
    ['calls by outcome', {}, 'pith_calls_total{method="tools/call",tool="kb.search",outcome="ok"} 1'],
    [
      'failures by code',
      { error: failure },
      'pith_call_errors_total{method="tools/call",tool="kb.search",code="TIMEOUT"} 1',
    ],
    [
      'failures as calls',
      { error: failure },
      'pith_calls_total{method="tools/call",tool="kb.search",outcome="error"} 1',
    ],
    [
      'wrong arguments as refused',
      { error: { code: 'INVALID_ARGUMENT', reason: 'invalid_input', message: '' } },
      'pith_calls_total{method="tools/call",tool="kb.search",outcome="refused"} 1',
    ],
    [
      'calls over the rate as refused',
      { error: { code: 'BUDGET_EXCEEDED', reason: 'rate_limited', message: '' } },
      'pith_calls_total{method="tools/call",tool="kb.search",outcome="refused"} 1',
    ],
    [
      'calls that need an approval as waiting',
      { error: { code: 'SCOPE_VIOLATION', reason: 'approval_required', message: '' } },
      'pith_calls_total{method="tools/call",tool="kb.search",outcome="waiting"} 1',
    ],
    [
      'answers that do not fit as failures',
      { error: { code: 'BUDGET_EXCEEDED', reason: 'response_bytes', message: '' } },
      'pith_calls_total{method="tools/call",tool="kb.search",outcome="error"} 1',
    ],
    [
      'time in seconds',
      { durationMs: 20 },
      'pith_call_duration_seconds_bucket{le="0.025",method="tools/call",tool="kb.search"} 1',
    ],
    ['sizes', {}, 'pith_response_bytes_sum{tool="kb.search"} 900'],
    [
      'stages',
      { trace: { stages: { bm25: 2 } } },
      'pith_stage_duration_seconds_sum{tool="kb.search",stage="bm25"} 0.002',
    ],
    [
      'truncations',
      { usage: { ...USAGE, limitReason: 'byte_cap' } },
      'pith_truncations_total{tool="kb.search",limit_reason="byte_cap"} 1',
    ],
    ['use of cursors', { args: { cursor: 'abc' } }, 'pith_cursor_calls_total{tool="kb.search"} 1'],
    [
      'sections dropped for others',
      { trace: { drops: { near_duplicate: 3 } } },
      'pith_dedupe_dropped_total{tool="kb.search",reason="near_duplicate"} 3',
    ],
    [
      'missing legs',
      { trace: { degraded: ['graph'] } },
      'pith_degraded_total{tool="kb.search",leg="graph"} 1',
    ],
  ])('counts %s', async (_, parts, line) => {
    expect(await textAfter(parts)).toContain(`${line}\n`);
  });

  it.each([
    ['pith_truncations_total', { usage: USAGE }],
    ['pith_cursor_calls_total', { args: { cursor: null } }],
    ['pith_call_errors_total', { error: null }],
  ])('does not count %s if there were none', async (name, parts) => {
    expect(await textAfter(parts)).not.toMatch(new RegExp(`^${name}[{ ]`, 'm'));
  });

  it.each([
    ['a tool that does not exist', { tool: null }, 'method="tools/call",tool="unknown"'],
    ['a tool that is not ours', { tool: 'no.such' }, 'method="tools/call",tool="unknown"'],
    [
      'a request without a tool',
      { method: 'resources/read', tool: null },
      'method="resources/read",tool="none"',
    ],
    ['an unknown method', { method: 'x/y', tool: null }, 'method="other",tool="none"'],
  ])('gives %s a label from a fixed set', async (_, start, labels) => {
    expect(await textAfter({ start })).toContain(`pith_calls_total{${labels},outcome="ok"} 1`);
  });

  it('counts calls that end while prom-client loads', async () => {
    expect(await textAfter({}, {}, {})).toContain('outcome="ok"} 3');
  });

  it('reads the counters of scratch and diagnostics at each scrape', async () => {
    const scratch = { passages: 2, bytes: 2_048, evictions: 1, expirations: 0 };
    const metrics = new CallMetrics(TOOLS, {
      scratch: () => scratch,
      diagnostics: () => ({ queued: 4, written: 30, dropped: 2, failed: 1 }),
    });
    await metrics.text();
    scratch.evictions = 5;
    const text = await metrics.text();
    expect(text.split('\n')).toEqual(
      expect.arrayContaining([
        'pith_scratch_bytes 2048',
        'pith_scratch_passages 2',
        'pith_scratch_evictions_total 5',
        'pith_diagnostics_queued 4',
        'pith_diagnostics_written_total 30',
        'pith_diagnostics_dropped_total 2',
        'pith_diagnostics_failed_total 1',
      ]),
    );
  });

  it('has metrics of the process and its version', async () => {
    const text = await textAfter();
    expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).toMatch(/^pith_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
  });

  it('has the content type of the registry', async () => {
    const registry = await new CallMetrics(TOOLS).registry();
    expect(new CallMetrics(TOOLS).contentType).toBe(registry.contentType);
  });

  it('has the same series and labels for any number of ids, tags and texts in calls', async () => {
    const [few, many] = await Promise.all([textAfter(...strangeCalls(1)), textAfter(...strangeCalls(500))]);
    expect(many.split('\n')).toHaveLength(few.split('\n').length);
    expect([...new Set(labelsIn(many))].sort()).toEqual([...new Set(labelsIn(few))].sort());
    expect(labelsIn(many).join()).not.toMatch(/chunk|doc_tag|diagnostic|session|principal|strange/);
  });
});

/** A value that the types forbid, as a client could send it. */
const untyped = (value: unknown) => JSON.parse(JSON.stringify(value));

/** Calls whose values from callers and documents all differ. */
function strangeCalls(count: number): Parts[] {
  return Array.from({ length: 2 * count }, (_, i) => {
    const own = `strange-${i}`;
    return {
      call: { id: own, correlation: { correlationId: own, traceId: own, spanId: own } },
      start: {
        id: own,
        tool: own,
        method: i % 2 === 0 ? 'tools/call' : own,
        meta: { own },
        headers: { own },
      },
      args: { query: own, cursor: own },
      durationMs: 20,
      error: untyped({ code: own, reason: own, message: own }),
      usage: { ...USAGE, limitReason: untyped(own) },
      trace: { degraded: [own], drops: { [own]: 1 }, stages: untyped({ [own]: 1 }) },
      retrieval: { listed: [own], shown: [own] },
    };
  });
}
