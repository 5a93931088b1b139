import { Inject, Injectable } from '@nestjs/common';
import { LimitsConfig } from '../config/settings/limits.config.js';
import type { Call } from '../core/call.js';
import { noteRetrieval } from '../core/note-retrieval.js';
import { GraphStore } from '../core/ports/graph-store.port.js';
import { type SectionFilter, SectionIndex, type StoredSections } from '../core/ports/section-index.port.js';
import type { Ranking } from '../core/ranking.js';
import { scopeAllows } from '../core/scope.js';
import { GraphService } from '../graph/graph.service.js';
import { planQuery } from '../kb/search/plan-query.js';
import { rankSections } from '../kb/search/rank-parts.js';
import { noteOrigin } from '../mcp/rendering/cautious-text.js';

interface SentLimits {
  /** A session without a call for this time starts again. */
  readonly ttlMs: number;
  readonly maxSessions: number;
  /** Per session. */
  readonly maxItems: number;
}

interface Session {
  readonly items: Set<string>;
  readonly usedAt: number;
}

/** Remembers the items sent to each session, so they are not sent twice. Bounded; drops the oldest first. */
export class SentItems {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly limits: SentLimits) {}

  /** The items that a session has received. @param now  as `steadyNow` */
  of(session: string, now: number): ReadonlySet<string> {
    const known = this.sessions.get(session);
    return known && now - known.usedAt < this.limits.ttlMs ? known.items : new Set();
  }

  /** Records the items that a session has received, and its last use. */
  add(session: string, sent: readonly string[], now: number): void {
    const items = new Set([...this.of(session, now), ...sent]);
    for (const item of items) {
      if (items.size <= this.limits.maxItems) break;
      items.delete(item);
    }
    // The map is ordered by last use.
    this.sessions.delete(session);
    this.sessions.set(session, { items, usedAt: now });
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= this.limits.maxSessions) break;
      this.sessions.delete(oldest);
    }
  }
}

/** The services that the older tools use. */
@Injectable()
export class LegacyService {
  /** Nodes and edges that `expand_neighbors` has returned, by session. */
  readonly sent = new SentItems({ ttlMs: 900_000, maxSessions: 1_000, maxItems: 10_000 });

  /** Null if the graph is switched off. */
  readonly graph: GraphService | null;

  constructor(
    private readonly index: SectionIndex,
    readonly limits: LimitsConfig,
    walks: GraphService,
    @Inject(GraphStore) store: GraphStore | null,
  ) {
    this.graph = store && walks;
  }

  /** Ranks the whole list, so that its pages join. @param most  maximum length of the list */
  async rankWhole(
    call: Call,
    query: string,
    { filter, most }: { readonly filter: SectionFilter; readonly most: number },
  ): Promise<Ranking> {
    const [part] = planQuery({ text: query, keywords: [], parts: [], rewrite: true }).parts;
    const limits = { sections: most, perDocument: most };
    const ranking = await rankSections(call, this.index, { part, filter, limits, mode: 'auto' });
    // The ranking over-fetches, so that some candidates can be dropped.
    const ranked = { ...ranking, candidates: ranking.candidates.slice(0, most) };
    noteRetrieval(call, { rankings: [ranked], filter, rankedAtMs: call.elapsed() });
    return ranked;
  }

  /** Visible sections in the order given, each once; unknown ids are skipped. @throws BackendUnavailableError */
  async sectionsInScope(call: Call, ids: readonly string[]): Promise<StoredSections> {
    const { generation, sections } = await this.index.sections(call.scope, ids);
    const visible = sections.filter(({ document }) => scopeAllows(call.scope, document));
    for (const { section, document } of visible) noteOrigin(call, document, [section.id]);
    return { generation, sections: visible };
  }
}
