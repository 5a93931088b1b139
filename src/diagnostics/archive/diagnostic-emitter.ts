import type { DiagnosticsConfig } from '../../config/settings/diagnostics.config.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { buildRecord, type RecordFacts } from '../record/build-record.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import type { DiagnosticWriter } from './diagnostic-writer.js';

export interface EmitterOptions {
  readonly config: Pick<DiagnosticsConfig, 'sampleRate' | 'force'>;
  readonly facts: RecordFacts;
  readonly writer: Pick<DiagnosticWriter, 'accepts' | 'write'>;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Records retrievals: a sample, those that an operator requested, and all failures. */
export class DiagnosticEmitter {
  constructor(private readonly options: EmitterOptions) {}

  samples(): boolean {
    const { config, random } = this.options;
    return config.force || random() < config.sampleRate;
  }

  /** True if a record would probably be written now. */
  accepts(): boolean {
    return this.options.writer.accepts();
  }

  /** Writes the record of a sampled or failed retrieval. @returns the record; null if not written */
  emit(finished: FinishedCall): DiagnosticRecord | null {
    const { isRetrieval, isKept } = finished.call.trace;
    if (!isRetrieval || !(isKept || finished.error)) return null;
    const record = this.describe(finished);
    this.options.writer.write(record);
    return record;
  }

  /** Builds the record without writing it, for other observers. */
  describe(finished: FinishedCall): DiagnosticRecord {
    return buildRecord(finished, this.options.facts);
  }
}
