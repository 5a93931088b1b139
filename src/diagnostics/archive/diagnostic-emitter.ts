import type { DiagnosticsConfig } from '../../config/settings/diagnostics.config.js';
import type { FinishedCall } from '../../mcp/pipeline/call-watch.js';
import { buildRecord } from '../record/build-record.js';
import type { RecordFacts } from '../record/build-record.js';
import type { DiagnosticRecord } from '../record/diagnostic-record.js';
import type { DiagnosticWriter } from './diagnostic-writer.js';

export interface EmitterOptions {
  readonly config: Pick<DiagnosticsConfig, 'sampleRate' | 'force'>;
  readonly facts: RecordFacts;
  readonly writer: Pick<DiagnosticWriter, 'accepts' | 'write'>;
  /** Evenly in [0, 1). */
  readonly random: () => number;
}

/** Writes down what retrievals did: a share of them, those that an operator asked for, and all that failed. */
export class DiagnosticEmitter {
  constructor(private readonly options: EmitterOptions) {}

  /** Whether a retrieval that begins now is one of the share. */
  samples(): boolean {
    const { config, random } = this.options;
    return config.force || random() < config.sampleRate;
  }

  /** Whether a record would be written now, as far as is known. */
  accepts(): boolean {
    return this.options.writer.accepts();
  }

  /** Writes the record of a retrieval that is kept, or that failed. @returns what was written; null for nothing */
  emit(finished: FinishedCall): DiagnosticRecord | null {
    const { isRetrieval, isKept } = finished.call.trace;
    if (!isRetrieval || !(isKept || finished.error)) return null;
    const record = this.describe(finished);
    this.options.writer.write(record);
    return record;
  }

  /** What would be written, for those who look on without a file. */
  describe(finished: FinishedCall): DiagnosticRecord {
    return buildRecord(finished, this.options.facts);
  }
}
