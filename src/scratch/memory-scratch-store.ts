import { ScratchStore } from './scratch-store.port.js';
import type { Passage, ScratchCounters, StoredPassage } from './scratch-store.port.js';

export interface MemoryScratchOptions {
  readonly ttlMs: number;
  readonly maxBytes: number;
  readonly now: () => number;
  /** Told once, when pressure first makes passages go before their time. */
  readonly onPressure: (counters: ScratchCounters) => void;
}

interface Entry {
  readonly sessionId: string;
  readonly id: string;
  readonly passage: Passage;
  readonly bytes: number;
  readonly expiresAt: number;
}

/** What an entry costs beside its text: keys, object headers, map slots. */
const OVERHEAD_BYTES = 512;
/** Evictions before the warning. */
const PRESSURE_AT = 16;

const keyOf = (sessionId: string, id: string): string => `${sessionId}\n${id}`;

/**
 * Keeps passages in memory: least recently used first out when the byte bound is passed, and gone when their time is
 * over. Every method runs to its end without giving way, so concurrent calls can't disturb the order.
 */
export class MemoryScratchStore extends ScratchStore {
  // A Map keeps insertion order: the first entry is the least recently used.
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;
  private evictions = 0;
  private expirations = 0;

  constructor(private readonly options: MemoryScratchOptions) {
    super();
  }

  async put(sessionId: string, id: string, passage: Passage): Promise<void> {
    const known = this.live(keyOf(sessionId, id));
    const createdAt = known?.passage.createdAt ?? passage.createdAt;
    this.store(sessionId, id, { ...passage, createdAt });
    this.makeRoom();
  }

  async get(sessionId: string, id: string): Promise<Passage | null> {
    const entry = this.live(keyOf(sessionId, id));
    if (!entry) return null;
    this.store(sessionId, id, entry.passage);
    return entry.passage;
  }

  async list(sessionId: string, limit: number): Promise<StoredPassage[]> {
    this.dropExpired();
    const own = [...this.entries.values()].filter((entry) => entry.sessionId === sessionId).reverse();
    return own.slice(0, limit).map(({ id, passage, expiresAt }) => ({
      id,
      passage,
      expiresInS: Math.ceil((expiresAt - this.options.now()) / 1000),
    }));
  }

  counters(): ScratchCounters {
    const { bytes, evictions, expirations } = this;
    return { passages: this.entries.size, bytes, evictions, expirations };
  }

  private live(key: string): Entry | undefined {
    const entry = this.entries.get(key);
    if (!entry || entry.expiresAt > this.options.now()) return entry;
    this.remove(key, entry);
    this.expirations++;
    return undefined;
  }

  private store(sessionId: string, id: string, passage: Passage): void {
    const key = keyOf(sessionId, id);
    const before = this.entries.get(key);
    if (before) this.remove(key, before);
    // JavaScript keeps most text at two bytes a character; counting so never understates.
    const bytes = passage.text.length * 2 + OVERHEAD_BYTES;
    this.entries.set(key, {
      sessionId,
      id,
      passage,
      bytes,
      expiresAt: this.options.now() + this.options.ttlMs,
    });
    this.bytes += bytes;
  }

  private remove(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.bytes -= entry.bytes;
  }

  private dropExpired(): void {
    // Every use renews an entry and moves it to the end, so the expired ones stand in front.
    for (const [key, entry] of this.entries) {
      if (entry.expiresAt > this.options.now()) return;
      this.remove(key, entry);
      this.expirations++;
    }
  }

  private makeRoom(): void {
    if (this.bytes <= this.options.maxBytes) return;
    this.dropExpired();
    for (const [key, entry] of this.entries) {
      if (this.bytes <= this.options.maxBytes) return;
      this.remove(key, entry);
      this.evictions++;
      if (this.evictions === PRESSURE_AT) this.options.onPressure(this.counters());
    }
  }
}
