import { setImmediate as nextTurn } from 'node:timers/promises';
import { DiagnosticEmitter } from '../../../src/diagnostics/archive/diagnostic-emitter.js';
import type { CallStart } from '../../../src/mcp/pipeline/call-watch.js';
import { type CallReceivers, watchCalls } from '../../../src/telemetry/watch-calls.js';
import { aFinishedCall } from '../../support/a-finished-call.js';

const { start } = aFinishedCall();
const ids = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) };
const facts = { hasGraph: true, embedder: null, crossEncoder: null, reranker: null, storesText: false };
const writer = { accepts: () => true, write: () => undefined };
const emitter = new DiagnosticEmitter({
  config: { sampleRate: 1, force: false },
  facts,
  writer,
  random: () => 0.5,
});

/** A watch, and the reports that its observers got. */
function aWatch(parts: Partial<CallReceivers> = {}, isRecording = false) {
  const told: string[] = [];
  const watch = watchCalls({
    emitter,
    startSpan: () => ({
      correlation: ids,
      isRecording,
      end: (_finished, record) => void told.push(record ? 'span with record' : 'span'),
    }),
    observers: [{ observe: ({ start: { tool } }) => void told.push(`observed ${tool}`) }],
    onFailure: (error) => void told.push(String(error)),
    ...parts,
  });
  return { watch, told };
}

describe('watchCalls', () => {
  it('reports a kept call to all observers, one turn after the answer', async () => {
    const { watch, told } = aWatch();
    watch.begin(start).end(aFinishedCall({ trace: { isKept: true } }));
    expect(told).toEqual([]);
    await nextTurn();
    expect(told).toEqual(['span with record', 'observed kb.search']);
  });

  it('reports a call to prompt observers before it returns, and not again', async () => {
    const observers = [
      { observe: () => void told.push('later') },
      { isPrompt: true, observe: () => void told.push('at once') },
    ];
    const { watch, told } = aWatch({ observers });
    watch.begin(start).end(aFinishedCall());
    expect(told).toEqual(['at once']);
    await nextTurn();
    expect(told).toEqual(['at once', 'span', 'later']);
  });

  it.each([
    ['with its record, if the span is recorded', true, ['span with record', 'observed kb.search']],
    ['without a record, if it is not', false, ['span', 'observed kb.search']],
  ])('ends the span of a call that is not kept %s', async (_, isRecording, expected) => {
    const { watch, told } = aWatch({}, isRecording);
    watch.begin(start).end(aFinishedCall());
    await nextTurn();
    expect(told).toEqual(expected);
  });

  it('gives the ids of the span to the call', () => {
    expect(aWatch().watch.begin(start).correlation).toEqual({ ...ids, correlationId: null });
  });

  it('gives the ids of the span of the caller to the call without telemetry', () => {
    const { watch, told } = aWatch({ startSpan: null });
    const meta = { traceparent: `00-${ids.traceId}-${ids.spanId}-01` };
    expect(watch.begin({ ...start, meta }).correlation).toEqual({ ...ids, correlationId: null });
    const { traceId, spanId } = watch.begin(start).correlation;
    expect({ traceId, spanId, told }).toEqual({ traceId: null, spanId: null, told: [] });
  });

  it.each<[string, Partial<CallStart>, string | null]>([
    ['of the request', { meta: { correlation_id: 'ticket-7' } }, 'ticket-7'],
    ['of a header', { headers: { 'x-correlation-id': 'ticket-7' } }, 'ticket-7'],
    ['of another header', { headers: { 'x-request-id': 'r1' } }, 'r1'],
    ['but not a malformed one', { headers: { 'x-request-id': 'a b\nc' } }, null],
    ['but not one that is too long', { headers: { 'x-request-id': 'a'.repeat(129) } }, null],
  ])('reads a correlation id %s', (_, sent, expected) => {
    expect(aWatch().watch.begin({ ...start, ...sent }).correlation.correlationId).toBe(expected);
  });

  it('samples nothing if nothing may be written', () => {
    expect(aWatch({ emitter: null }).watch.begin(start)).toMatchObject({
      isSampled: false,
      isWritable: false,
    });
  });

  it('reports to the other observers when one of them fails', async () => {
    const failing = () => {
      throw new Error('broken');
    };
    const observers = [{ observe: failing }, { observe: () => void told.push('observed') }];
    const { watch, told } = aWatch({ observers });
    watch.begin(start).end(aFinishedCall({ trace: { isKept: true } }));
    await nextTurn();
    expect(told).toEqual(['span with record', 'Error: broken', 'observed']);
  });
});
