import type { Config } from '../config/config.js';
import type { GraphStore } from '../core/ports/graph-store.port.js';
import type { ScratchStore } from '../core/ports/scratch-store.port.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import type { Clock } from '../core/turns/clock.js';
import type { DiagnosticWriter } from '../diagnostics/archive/diagnostic-writer.js';
import type { ScopedArchive } from '../diagnostics/archive/scoped-archive.js';
import type { ScopeService } from '../scope/scope.service.js';
import type { CallHistory } from './facts/call-history.js';
import type { Frame } from './views/layout.js';

/** Facts about the server. The admin console changes none of the parts in this file. */
export abstract class ServerFacts {
  abstract readonly config: Config;
  abstract readonly version: string;
  abstract readonly frame: Frame;
  /** Retrieval tools: the choices of the tool filter in lists of diagnostics. */
  abstract readonly tools: readonly string[];
  /** As `steady`. */
  abstract readonly startedAt: number;
  abstract readonly now: Clock['now'];
  abstract readonly steady: Clock['steady'];
}

/** The backends of the server. */
export class AnsweringParts {
  constructor(
    readonly index: SectionIndex,
    /** Null if the graph is switched off. */
    readonly graph: GraphStore | null,
    readonly scratch: ScratchStore,
    readonly scopes: ScopeService,
  ) {}
}

/** Records of calls. */
export class RecordedCalls {
  constructor(
    readonly archive: ScopedArchive,
    readonly writer: DiagnosticWriter,
    readonly history: CallHistory,
  ) {}
}
