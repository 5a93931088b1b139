import { trace } from '@opentelemetry/api';
import { SYSTEM_CLOCK } from '../../../src/core/turns/clock.js';
import { startTelemetry } from '../../../src/telemetry/start-telemetry.js';
import { aDiagnosticRecord } from '../../support/a-diagnostic.js';

describe('startTelemetry', () => {
  it.each([
    ['without an endpoint', { otlpEndpoint: '', isDisabled: false }],
    ['if it is switched off', { otlpEndpoint: 'http://127.0.0.1:4318', isDisabled: true }],
  ])('does nothing %s', async (_, config) => {
    const warn = jest.fn();
    const options = { config: { serviceName: 'pith', ...config }, metrics: null, warn, ...SYSTEM_CLOCK };
    const telemetry = startTelemetry(options);
    await telemetry.started;
    telemetry.log(aDiagnosticRecord(), { jsonl: 'a', markdown: 'b' });
    const span = trace.getTracer('x').startSpan('y');
    await telemetry.shutdown(10);
    expect(span.isRecording()).toBe(false);
    expect(warn).not.toHaveBeenCalled();
  });
});
