import { randomFrom } from './corpora.js';
import { type KillableServer, Killed } from './killed-server.js';

/** What the client does, by the operation that a kill can fall into. */
const KINDS = [
  ...(['upload', 'manifest', 'pointer', 'run', 'step', 'checkpoint'] as const),
  ...(['claim', 'request', 'decide', 'ingest', 'corpus'] as const),
] as const;
export type Kind = (typeof KINDS)[number];

/** Makes one call, which is an operation of a kind. */
export interface Acting {
  readonly act: (
    kind: Kind,
    tool: string,
    args: Record<string, unknown>,
  ) => ReturnType<KillableServer['call']>;
}

/** What a check looks at. */
export type Since = 'last check' | 'ever';

/** One strand of work. It knows what was acknowledged, and what was asked for without an answer. */
export interface Strand {
  /** Works until the server is killed. */
  readonly work: (session: Acting) => Promise<never>;
  /** Compares what a new server has with what was acknowledged since the last check, or ever. */
  readonly check: (server: KillableServer, since: Since) => Promise<void>;
}

/** A moment to kill a server: some operations of a kind are let through, then a part of the time of one passes. */
interface Moment {
  readonly kind: Kind;
  readonly skipped: number;
  readonly share: number;
}

const FIRST_GUESS_MS = 10;

/** The kills, in order. Each is within an operation of the next kind, at a random part of the usual time. */
export class Moments {
  readonly hits: Record<string, number> = {};
  private readonly usualMs = new Map<Kind, number>();
  private readonly random;
  private made = 0;

  constructor(seed: number) {
    this.random = randomFrom(seed);
  }

  next(): Moment {
    const kind = KINDS[this.made++ % KINDS.length] ?? 'upload';
    const isRare = kind === 'ingest' || kind === 'corpus' || kind === 'run';
    return { kind, skipped: isRare ? 0 : Math.floor(this.random() * 5), share: this.random() };
  }

  msOf({ kind, share }: Moment): number {
    return share * (this.usualMs.get(kind) ?? FIRST_GUESS_MS);
  }

  took(kind: Kind, ms: number): void {
    const before = this.usualMs.get(kind) ?? ms;
    this.usualMs.set(kind, (before + ms) / 2);
  }

  hit(kinds: Iterable<Kind>): void {
    for (const kind of kinds) this.hits[kind] = (this.hits[kind] ?? 0) + 1;
  }
}

/** The work with one server, until its moment comes. */
export class Session implements Acting {
  private readonly running = new Set<Kind>();
  private readonly moment: Moment;
  private waiting: number;
  private killed: Promise<void> | null = null;

  constructor(
    private readonly server: KillableServer,
    private readonly moments: Moments,
  ) {
    this.moment = moments.next();
    this.waiting = this.moment.skipped;
  }

  /** Makes one call. @throws Killed, Refused */
  async act(kind: Kind, tool: string, args: Record<string, unknown>) {
    if (kind === this.moment.kind && this.waiting-- === 0)
      setTimeout(() => this.kill(), this.moments.msOf(this.moment));
    const before = performance.now();
    this.running.add(kind);
    try {
      return await this.server.call(tool, args);
    } finally {
      this.running.delete(kind);
      if (!this.killed) this.moments.took(kind, performance.now() - before);
    }
  }

  /** Runs all strands until the server is killed. @throws what else stopped one of them */
  async run(strands: readonly Strand[]): Promise<void> {
    const ends = await Promise.all(strands.map((strand) => this.endOf(strand)));
    await this.killed;
    const failed = ends.find((error) => !(error instanceof Killed));
    if (failed) throw failed;
  }

  private endOf(strand: Strand): Promise<unknown> {
    return strand.work(this).catch((error: unknown) => {
      if (!(error instanceof Killed)) this.kill();
      return error;
    });
  }

  private kill(): void {
    if (!this.killed) this.moments.hit(this.running);
    this.killed ??= this.server.kill();
  }
}
