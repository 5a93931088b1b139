import {
  type KeptPassage,
  type Passage,
  type ScratchCounters,
  type ScratchOwner,
  ScratchStore,
  type StoredPassage,
} from '../../core/ports/scratch-store.port.js';
import { Backend, type BackendLimits } from '../backend.js';
import { ScratchNames, SharedCounters } from '../scratch-records.js';
import type { KeyRing } from './key-ring.js';
import { isTransientRedis, RedisBroken, RedisConnection, rethrow } from './redis-connection.js';
import { GET, LIST, PUT, type Script } from './scratch-scripts.js';
import { openPassage, type PassagePlace, sealPassage } from './sealed-passages.js';

/** Options of the Redis scratch store. */
export interface RedisScratchOptions extends BackendLimits {
  /** May contain a password. */
  readonly url: string;
  /** Lifetime of a passage after its last use. */
  readonly ttlMs: number;
  /** Limit for all passages of a project and environment, from all servers. */
  readonly maxBytes: number;
  /** The server's secret; names in Redis are derived from it. All replicas need the same. */
  readonly secret: string;
  readonly keys: KeyRing;
  /** Called once, when the byte limit first causes evictions. */
  readonly onPressure: (counters: ScratchCounters) => void;
  /** Called once, when a passage first can't be decrypted. */
  readonly onUnreadable: () => void;
}

const asNumber = (value: unknown): number => Number(String(value));

/**
 * Stores passages in Redis, shared by all replicas of a server. They are encrypted and bound to their owner, expire in
 * Redis, and are evicted least recently used first when the byte limit is exceeded. A passage that can't be decrypted
 * with our keys for its owner and name is treated as missing.
 */
export class RedisScratchStore extends ScratchStore {
  private readonly connection: RedisConnection;
  private readonly backend: Backend;
  private readonly names: ScratchNames;
  private readonly shared: SharedCounters;
  private isUnreadable = false;

  constructor(private readonly options: RedisScratchOptions) {
    super();
    const { url, timeoutMs, concurrency, secret } = options;
    const isTransient = isTransientRedis;
    this.connection = new RedisConnection({ url, silenceLimitMs: timeoutMs });
    this.backend = new Backend({ name: 'redis', title: 'Redis', timeoutMs, concurrency, isTransient });
    this.names = new ScratchNames(secret);
    this.shared = new SharedCounters(options.onPressure);
  }

  async put(owner: ScratchOwner, passages: readonly KeptPassage[]): Promise<void> {
    if (passages.length === 0) return;
    const { keys, maxBytes } = this.options;
    const records = passages.flatMap((kept) => {
      const place = this.placeOf(owner, kept.id);
      return [place.name, sealPassage(keys, place, kept)];
    });
    await this.backend.write(this.running(PUT, owner, [String(maxBytes), ...records]));
  }

  async get(owner: ScratchOwner, id: string): Promise<Passage | null> {
    const place = this.placeOf(owner, id);
    const [record] = await this.backend.read(this.running(GET, owner, [place.name]));
    const kept = record instanceof Buffer ? this.opened(place, record) : null;
    return kept?.id === id ? kept.passage : null;
  }

  async list(owner: ScratchOwner, limit: number): Promise<StoredPassage[]> {
    const args = [this.names.session(owner), String(limit)];
    const rows = await this.backend.read(this.running(LIST, owner, args));
    const listed: StoredPassage[] = [];
    for (let i = 0; i + 2 < rows.length; i += 3) {
      const [name, record, leftMs] = rows.slice(i, i + 3);
      const kept = record instanceof Buffer ? this.opened({ owner, name: String(name) }, record) : null;
      if (kept) listed.push({ ...kept, expiresInS: Math.ceil(asNumber(leftMs) / 1000) });
    }
    return listed;
  }

  counters(): ScratchCounters {
    return this.shared.known;
  }

  async check(): Promise<void> {
    await this.backend.read((signal) => this.connection.ping(signal).catch(rethrow));
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private placeOf(owner: ScratchOwner, id: string): PassagePlace {
    return { owner, name: this.names.passage(owner, id) };
  }

  private running(script: Script, owner: ScratchOwner, args: readonly (string | Buffer)[]) {
    const all = [this.names.space(owner), String(this.options.ttlMs), ...args];
    return async (signal: AbortSignal): Promise<readonly unknown[]> =>
      this.withoutCounters(await this.connection.run(script, all, signal).catch(rethrow));
  }

  /** Stores the counters at the start of an answer. @returns the rest of it */
  private withoutCounters(reply: unknown): readonly unknown[] {
    if (!Array.isArray(reply)) throw new RedisBroken('the server is not Redis');
    const [passages, bytes, evicted, expired, ...rest] = reply;
    this.shared.add({
      passages: asNumber(passages),
      bytes: asNumber(bytes),
      evictions: asNumber(evicted),
      expirations: asNumber(expired),
    });
    return rest;
  }

  private opened(place: PassagePlace, record: Buffer): KeptPassage | null {
    const kept = openPassage(this.options.keys, place, record);
    if (kept || this.isUnreadable) return kept;
    this.isUnreadable = true;
    this.options.onUnreadable();
    return null;
  }
}
