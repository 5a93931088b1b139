import type { LimitsConfig } from '../config/settings/limits.config.js';
import type { SectionIndex } from '../core/ports/section-index.port.js';
import type { GraphService } from '../graph/graph.service.js';
import { SentItems } from './sent-items.js';

const SENT_LIMITS = { ttlMs: 900_000, maxSessions: 1_000, maxItems: 10_000 };

/** Everything that the older tools answer from. */
export class LegacyService {
  /** Nodes and edges that `expand_neighbors` has returned, by session. */
  readonly sent = new SentItems(SENT_LIMITS);

  constructor(
    readonly index: SectionIndex,
    readonly limits: LimitsConfig,
    /** Null if the graph is switched off. */
    readonly graph: GraphService | null,
  ) {}
}
