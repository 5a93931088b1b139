import { trace } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

export interface RecordedSpans {
  /** Ended spans, in order of their end. */
  readonly spans: () => ReadableSpan[];
  readonly stop: () => void;
}

/** Registers an SDK that keeps spans in memory. */
export function recordSpans(): RecordedSpans {
  const exporter = new InMemorySpanExporter();
  const spanProcessors = [new SimpleSpanProcessor(exporter)];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors }));
  return { spans: () => exporter.getFinishedSpans(), stop: () => trace.disable() };
}
