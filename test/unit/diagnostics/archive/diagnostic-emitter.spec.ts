import {
  DiagnosticEmitter,
  type EmitterOptions,
} from '../../../../src/diagnostics/archive/diagnostic-emitter.js';
import type { DiagnosticRecord } from '../../../../src/diagnostics/record/diagnostic-record.js';
import { aFinishedCall } from '../../../support/a-finished-call.js';

const facts = { hasGraph: true, embedder: null, crossEncoder: null, reranker: null, storesText: false };
const failure = { code: 'TIMEOUT', reason: 'deadline', message: '' } as const;

function anEmitter(config: Partial<EmitterOptions['config']> = {}, random = 0.5) {
  const written: DiagnosticRecord[] = [];
  const writer = { accepts: () => true, write: (record: DiagnosticRecord) => void written.push(record) };
  const settings = { sampleRate: 0.01, force: false, ...config };
  return {
    emitter: new DiagnosticEmitter({ config: settings, facts, writer, random: () => random }),
    written,
  };
}

describe('DiagnosticEmitter', () => {
  it.each([
    [0.01, 0.009, true],
    [0.01, 0.01, false],
    [0, 0, false],
    [1, 0.999, true],
  ])('decides at rate %d and random number %d whether to sample: %s', (sampleRate, random, isSampled) => {
    expect(anEmitter({ sampleRate }, random).emitter.samples()).toBe(isSampled);
  });

  it('samples every call if configured to', () => {
    expect(anEmitter({ sampleRate: 0, force: true }).emitter.samples()).toBe(true);
  });

  it.each([
    ['a retrieval that is kept', { trace: { isKept: true } }, 1],
    ['a retrieval that is not', {}, 0],
    ['a retrieval that failed', { error: failure }, 1],
    ['another tool that failed', { error: failure, trace: { isRetrieval: false } }, 0],
  ])('writes for %s this number of records: %d', (_, parts, count) => {
    const { emitter, written } = anEmitter();
    emitter.emit(aFinishedCall(parts));
    expect(written).toHaveLength(count);
  });
});
