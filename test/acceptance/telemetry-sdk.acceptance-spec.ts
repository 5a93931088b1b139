import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SYSTEM_CLOCK } from '../../src/core/turns/clock.js';
import { CallMetrics } from '../../src/telemetry/call-metrics.js';
import { startCallSpan } from '../../src/telemetry/call-spans.js';
import { startTelemetry, type Telemetry } from '../../src/telemetry/start-telemetry.js';
import { aDiagnosticRecord } from '../support/a-diagnostic.js';
import { aFinishedCall } from '../support/a-finished-call.js';
import { listedModulesEnv, loadedModules, telemetryModules } from '../support/loaded-modules.js';
import { cleanEnv } from '../support/mcp-clients.js';
import { type OtlpCollector, startOtlpCollector } from '../support/otlp-collector.js';
import { timed } from '../support/processes.js';
import { startStdio } from '../support/stdio-process.js';
import { testFolder } from '../support/test-folder.js';

const DIST = join(__dirname, '..', '..', 'dist');
const PATHS = { jsonl: '/r/2026-01-01/retrieval_diagnostics.jsonl', markdown: '/r/2026-01-01/1.md' };
const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
/** The port of `discard`, on which nothing listens. */
const NOBODY = 'http://127.0.0.1:9';

function start(otlpEndpoint: string): { telemetry: Telemetry; metrics: CallMetrics; warnings: string[] } {
  const warnings: string[] = [];
  const metrics = new CallMetrics(['kb.search']);
  const config = { otlpEndpoint, serviceName: 'pith-tests', isDisabled: false };
  const warn = (message: string) => void warnings.push(message);
  return {
    telemetry: startTelemetry({ config, metrics, warn, ...SYSTEM_CLOCK }),
    metrics,
    warnings,
  };
}

/** One search, as the transport reports it. */
function aWatchedCall({ telemetry, metrics }: ReturnType<typeof start>) {
  const finished = aFinishedCall({ start: { meta: { traceparent: TRACEPARENT } } });
  const span = startCallSpan(finished.start);
  const { traceId: trace_id, spanId: span_id } = span.correlation;
  const record = aDiagnosticRecord({ otel: { trace_id, span_id } });
  span.end(finished, record);
  metrics.observe(finished);
  telemetry.log(record, PATHS);
  return span.correlation;
}

describe('telemetry with a collector', () => {
  let collector: OtlpCollector;
  beforeEach(async () => {
    collector = await startOtlpCollector();
  });
  afterEach(async () => {
    delete process.env['OTEL_LOGS_EXPORTER'];
    delete process.env['OTEL_RESOURCE_ATTRIBUTES'];
    await collector.close();
  });

  async function sent() {
    const started = start(`${collector.endpoint}/`);
    await started.telemetry.started;
    const correlation = aWatchedCall(started);
    await started.telemetry.shutdown(5_000);
    expect(started.warnings).toEqual([]);
    return correlation;
  }

  it('sends the span, which continues the client’s trace', async () => {
    const { traceId, spanId } = await sent();
    expect(collector.spans()).toMatchObject([
      {
        name: 'tools/call kb.search',
        traceId,
        spanId,
        parentSpanId: 'b'.repeat(16),
        attributes: { 'retrieval.diagnostic_id': aDiagnosticRecord().diagnostic_id },
        events: [{ name: 'retrieval.candidate', attributes: { rank: 1 } }],
      },
    ]);
    expect(traceId).toBe('a'.repeat(32));
  });

  it('sends one log record for the diagnostic, with the span’s ids and the paths of the artifacts', async () => {
    const { traceId, spanId } = await sent();
    expect(collector.logs()).toMatchObject([
      {
        traceId,
        spanId,
        severityText: 'INFO',
        attributes: { diagnostic_id: aDiagnosticRecord().diagnostic_id, returned: 1, ...PATHS },
      },
    ]);
  });

  it('sends the metrics that Prometheus reads', async () => {
    await sent();
    const named = (name: string) => collector.metrics().find((metric) => metric.name === name);
    expect(named('pith_calls_total')?.points).toEqual([
      { attributes: { method: 'tools/call', tool: 'kb.search', outcome: 'ok' }, value: 1 },
    ]);
    expect(named('pith_call_duration_seconds')).toMatchObject({
      unit: 's',
      points: [{ value: { sum: 0.01, count: 1 } }],
    });
  });

  it('sends its service name, and the attributes that the operator adds', async () => {
    process.env['OTEL_RESOURCE_ATTRIBUTES'] = 'deployment.environment.name=prod';
    await sent();
    expect(collector.spans()[0]?.resource).toMatchObject({
      'service.name': 'pith-tests',
      'service.version': expect.stringMatching(/^\d+\.\d+\.\d+/),
      'service.instance.id': expect.any(String),
      'deployment.environment.name': 'prod',
    });
  });

  it('omits a signal that the operator disables', async () => {
    process.env['OTEL_LOGS_EXPORTER'] = 'none';
    await sent();
    expect(collector.logs()).toEqual([]);
    expect(collector.spans()).toHaveLength(1);
  });

  it('warns once about a collector that refuses any signal', async () => {
    collector.answerWith(400);
    const started = start(collector.endpoint);
    await started.telemetry.started;
    aWatchedCall(started);
    await started.telemetry.shutdown(5_000);
    expect(started.warnings).toEqual([expect.stringMatching(/^telemetry: \S.*$/)]);
  });
});

describe('telemetry without a collector', () => {
  // Then no attempt continues after the test.
  beforeEach(() => {
    process.env['OTEL_EXPORTER_OTLP_TIMEOUT'] = '400';
  });
  afterEach(() => {
    delete process.env['OTEL_EXPORTER_OTLP_TIMEOUT'];
  });

  it('delays no call and no shutdown, and warns once', async () => {
    const started = start(NOBODY);
    await started.telemetry.started;
    const calls = await timed(Promise.resolve(Array.from({ length: 200 }, () => aWatchedCall(started))));
    const end = await timed(started.telemetry.shutdown(300));
    expect(calls.ms).toBeLessThan(500);
    expect(end.ms).toBeLessThan(1_000);
    expect(started.warnings.length).toBeLessThanOrEqual(1);
  });
});

describe('the modules of a process', () => {
  const folder = testFolder();
  afterAll(() => folder.remove());

  it('include neither SDK nor prom-client if telemetry is not configured', async () => {
    const list = folder.file('unset');
    const stdio = startStdio(folder.file('index.db'), { env: listedModulesEnv(list) });
    await stdio.initialize();
    await stdio.request('tools/list');
    await stdio.stop();
    expect(loadedModules(list)).toContainEqual(expect.stringMatching(/dist.pith\.cjs$/));
    expect(telemetryModules(list)).toEqual([]);
  });

  it('include them if telemetry is configured, so the test above would fail', async () => {
    const list = folder.file('set');
    const script =
      `const { startTelemetry } = require('./telemetry/start-telemetry.js');` +
      `const config = { otlpEndpoint: '${NOBODY}', serviceName: 'x', isDisabled: false };` +
      `startTelemetry({ config, metrics: null, warn() {}, now: Date.now }).started.then(() => process.exit());`;
    const env = cleanEnv(listedModulesEnv(list));
    await once(spawn(process.execPath, ['-e', script], { cwd: DIST, env, stdio: 'inherit' }), 'exit');
    expect(telemetryModules(list).length).toBeGreaterThan(20);
  });

  it('include neither in the bundle', () => {
    const bundle = readFileSync(join(DIST, 'pith.cjs'), 'utf8');
    expect(bundle).not.toMatch(/BatchSpanProcessorBase|OTLPExporterBase|AggregatorRegistry/);
  });
});
