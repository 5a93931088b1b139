import {
  type KeptPassage,
  type Passage,
  type ScratchCounters,
  type ScratchOwner,
  ScratchStore,
  type StoredPassage,
} from '../core/ports/scratch-store.port.js';

export interface MemoryScratchOptions {
  readonly ttlMs: number;
  readonly maxBytes: number;
  readonly now: () => number;
  /** Called once, when pressure first evicts passages early. */
  readonly onPressure: (counters: ScratchCounters) => void;
}

interface Entry {
  readonly owner: string;
  readonly id: string;
  readonly passage: Passage;
  readonly bytes: number;
  readonly expiresAt: number;
}

/** Memory of an entry besides its text: keys, object headers, map slots. */
const OVERHEAD_BYTES = 512;
/** Number of evictions before the warning. */
const PRESSURE_AT = 16;

// JSON, because the three strings may contain any separator.
const ownerName = ({ sessionId, projectId, environment }: ScratchOwner): string =>
  JSON.stringify([sessionId, projectId, environment]);
const keyOf = (owner: string, id: string): string => `${owner}\n${id}`;

/**
 * Keeps passages in memory. Passages expire, and over the byte limit the least recently used are evicted. No method
 * awaits anything, so concurrent calls cannot change the order.
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

  async put(owner: ScratchOwner, passages: readonly KeptPassage[]): Promise<void> {
    const name = ownerName(owner);
    for (const { id, passage } of passages) {
      const known = this.live(keyOf(name, id));
      const createdAt = known?.passage.createdAt ?? passage.createdAt;
      this.store(name, id, { ...passage, createdAt });
      this.makeRoom();
    }
  }

  async get(owner: ScratchOwner, id: string): Promise<Passage | null> {
    const entry = this.live(keyOf(ownerName(owner), id));
    if (!entry) return null;
    this.store(entry.owner, id, entry.passage);
    return entry.passage;
  }

  async list(owner: ScratchOwner, limit: number): Promise<StoredPassage[]> {
    this.dropExpired();
    const name = ownerName(owner);
    const own = [...this.entries.values()].filter((entry) => entry.owner === name).reverse();
    return own.slice(0, limit).map(({ id, passage, expiresAt }) => ({
      id,
      passage,
      expiresInS: Math.ceil((expiresAt - this.options.now()) / 1000),
    }));
  }

  /** Memory is always available. */
  async check(): Promise<void> {}

  async close(): Promise<void> {
    this.entries.clear();
    this.bytes = 0;
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

  private store(owner: string, id: string, passage: Passage): void {
    const key = keyOf(owner, id);
    const before = this.entries.get(key);
    if (before) this.remove(key, before);
    // JavaScript strings take at most two bytes per character.
    const bytes = (passage.text.length + passage.structure.length) * 2 + OVERHEAD_BYTES;
    this.entries.set(key, { owner, id, passage, bytes, expiresAt: this.options.now() + this.options.ttlMs });
    this.bytes += bytes;
  }

  private remove(key: string, entry: Entry): void {
    this.entries.delete(key);
    this.bytes -= entry.bytes;
  }

  private dropExpired(): void {
    // Every use renews an entry and moves it to the end, so expired entries come first.
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
