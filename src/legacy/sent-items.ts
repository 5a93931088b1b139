export interface SentLimits {
  /** A session that asks nothing for so long begins anew. */
  readonly ttlMs: number;
  readonly maxSessions: number;
  /** Of one session. */
  readonly maxItems: number;
}

interface Session {
  readonly items: Set<string>;
  readonly usedAt: number;
}

/** Remembers what sessions were sent, so that it need not be sent twice. Bounded: what was sent longest ago goes first. */
export class SentItems {
  private readonly sessions = new Map<string, Session>();

  constructor(private readonly limits: SentLimits) {}

  /** What a session has. @param now  milliseconds since the epoch */
  of(session: string, now: number): ReadonlySet<string> {
    const known = this.sessions.get(session);
    return known && now - known.usedAt < this.limits.ttlMs ? known.items : new Set();
  }

  /** Notes what a session was sent, and that it is there. */
  add(session: string, sent: readonly string[], now: number): void {
    const items = new Set([...this.of(session, now), ...sent]);
    for (const item of items) {
      if (items.size <= this.limits.maxItems) break;
      items.delete(item);
    }
    // Sessions stand in the order in which they were used.
    this.sessions.delete(session);
    this.sessions.set(session, { items, usedAt: now });
    for (const oldest of this.sessions.keys()) {
      if (this.sessions.size <= this.limits.maxSessions) break;
      this.sessions.delete(oldest);
    }
  }
}
