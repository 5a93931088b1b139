import { ScratchStore } from '../../core/ports/scratch-store.port.js';
import type {
  KeptPassage,
  Passage,
  ScratchCounters,
  ScratchOwner,
  StoredPassage,
} from '../../core/ports/scratch-store.port.js';
import { Backend } from '../backend.js';
import type { KeyRing } from './key-ring.js';
import { isPassing, RedisBroken, rethrow } from './redis-failures.js';
import { RedisConnection } from './redis-connection.js';
import { ScratchNames } from './scratch-names.js';
import { GET, LIST, PUT } from './scratch-scripts.js';
import type { Script } from './scratch-scripts.js';
import { openPassage, sealPassage } from './sealed-passages.js';
import type { Place } from './sealed-passages.js';

/** What a store in Redis goes by. */
export interface RedisScratchOptions {
  /** May hold a password. */
  readonly url: string;
  /** How long one request may take (ms). */
  readonly timeoutMs: number;
  /** Requests at a time. */
  readonly concurrency: number;
  /** How long a passage is kept after its last use. */
  readonly ttlMs: number;
  /** For all passages of a project and environment, whoever keeps them. */
  readonly maxBytes: number;
  /** The server's; names in Redis are keyed with it. All replicas need the same. */
  readonly secret: string;
  readonly keys: KeyRing;
  /** Told once, when pressure first makes passages go before their time. */
  readonly onPressure: (counters: ScratchCounters) => void;
  /** Told once, when a passage first can't be opened. */
  readonly onUnreadable: () => void;
}

/** Evictions before the warning. */
const PRESSURE_AT = 16;

const asNumber = (value: unknown): number => Number(String(value));

/**
 * Keeps passages in Redis, where all replicas of a server find them: encrypted for their owner, ended by Redis when
 * their time is over, least recently used first out when the byte bound is passed. A passage that none of our keys
 * has sealed for its place does not exist.
 */
export class RedisScratchStore extends ScratchStore {
  private readonly connection: RedisConnection;
  private readonly backend: Backend;
  private readonly names: ScratchNames;
  private known: ScratchCounters = { passages: 0, bytes: 0, evictions: 0, expirations: 0 };
  private isPressed = false;
  private isUnreadable = false;

  constructor(private readonly options: RedisScratchOptions) {
    super();
    const { url, timeoutMs, concurrency, secret } = options;
    this.connection = new RedisConnection({ url, patienceMs: timeoutMs });
    this.backend = new Backend({
      name: 'redis',
      title: 'Redis',
      timeoutMs,
      concurrency,
      isTransient: isPassing,
    });
    this.names = new ScratchNames(secret);
  }

  async put(owner: ScratchOwner, passages: readonly KeptPassage[]): Promise<void> {
    if (passages.length === 0) return;
    const { keys, maxBytes } = this.options;
    const records = passages.flatMap((kept) => {
      const place = this.placeOf(owner, kept.id);
      return [place.name, sealPassage(keys, place, kept)];
    });
    await this.backend.write((signal) => this.run(PUT, owner, [String(maxBytes), ...records], signal));
  }

  async get(owner: ScratchOwner, id: string): Promise<Passage | null> {
    const place = this.placeOf(owner, id);
    const [record] = await this.backend.read((signal) => this.run(GET, owner, [place.name], signal));
    const kept = record instanceof Buffer ? this.opened(place, record) : null;
    return kept?.id === id ? kept.passage : null;
  }

  async list(owner: ScratchOwner, limit: number): Promise<StoredPassage[]> {
    const args = [this.names.session(owner), String(limit)];
    const rows = await this.backend.read((signal) => this.run(LIST, owner, args, signal));
    const listed: StoredPassage[] = [];
    for (let i = 0; i + 2 < rows.length; i += 3) {
      const [name, record, leftMs] = rows.slice(i, i + 3);
      const kept = record instanceof Buffer ? this.opened({ owner, name: String(name) }, record) : null;
      if (kept) listed.push({ ...kept, expiresInS: Math.ceil(asNumber(leftMs) / 1000) });
    }
    return listed;
  }

  counters(): ScratchCounters {
    return this.known;
  }

  async check(): Promise<void> {
    await this.backend.read((signal) => this.connection.ping(signal).catch(rethrow));
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private placeOf(owner: ScratchOwner, id: string): Place {
    return { owner, name: this.names.passage(owner, id) };
  }

  /** Runs a script and takes note of the sums it begins its answer with. */
  private async run(
    script: Script,
    owner: ScratchOwner,
    args: readonly (string | Buffer)[],
    signal: AbortSignal,
  ): Promise<readonly unknown[]> {
    const all = [this.names.space(owner), String(this.options.ttlMs), ...args];
    const reply = await this.connection.run(script, all, signal).catch(rethrow);
    if (!Array.isArray(reply)) throw new RedisBroken('the server is not Redis');
    const [passages, bytes, evicted, expired, ...rest] = reply;
    this.known = {
      passages: asNumber(passages),
      bytes: asNumber(bytes),
      evictions: this.known.evictions + asNumber(evicted),
      expirations: this.known.expirations + asNumber(expired),
    };
    this.warnOfPressure();
    return rest;
  }

  private warnOfPressure(): void {
    if (this.isPressed || this.known.evictions < PRESSURE_AT) return;
    this.isPressed = true;
    this.options.onPressure(this.known);
  }

  private opened(place: Place, record: Buffer): KeptPassage | null {
    const kept = openPassage(this.options.keys, place, record);
    if (kept || this.isUnreadable) return kept;
    this.isUnreadable = true;
    this.options.onUnreadable();
    return null;
  }
}
