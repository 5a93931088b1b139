export interface SentLimits {
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

  /** The items that a session has received. @param now  milliseconds since the epoch */
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
