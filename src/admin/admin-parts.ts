import type { Config } from '../config/config.js';
import type { DiagnosticArchive } from '../diagnostics/archive/diagnostic-archive.js';
import type { DiagnosticWriter } from '../diagnostics/archive/diagnostic-writer.js';
import type { GraphStore } from '../core/ports/graph-store.port.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import type { ScratchStore } from '../core/ports/scratch-store.port.js';
import type { CallHistory } from './facts/call-history.js';

/** What was written down. */
export type DiagnosticSource = Pick<DiagnosticArchive, 'list' | 'find' | 'markdown'>;

/** How the writing of diagnostics goes. */
export type DiagnosticCounts = Pick<DiagnosticWriter, 'accepts' | 'counters'>;

/** All metrics as Prometheus reads them. */
interface MetricsText {
  readonly contentType: string;
  readonly text: () => Promise<string>;
}

/** What the operator's door looks at; it changes nothing of it. */
export abstract class AdminParts {
  abstract readonly config: Config;
  abstract readonly index: SectionIndex;
  /** Null where the graph is switched off. */
  abstract readonly graph: GraphStore | null;
  abstract readonly scratch: Pick<ScratchStore, 'check'>;
  abstract readonly diagnostics: DiagnosticSource;
  abstract readonly writer: DiagnosticCounts;
  abstract readonly history: CallHistory;
  abstract readonly metrics: MetricsText;
  /** Names that one can filter by. */
  abstract readonly tools: readonly string[];
  abstract readonly version: string;
  /** Milliseconds since the epoch. */
  abstract readonly startedAt: number;
  abstract readonly now: () => number;
}
