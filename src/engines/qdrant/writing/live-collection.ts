import { BackendUnavailableError } from '../../../core/errors.js';
import type { Embedder } from '../../../core/ports/embedder.port.js';
import type { Scope } from '../../../core/scope.js';
import { STAMP_ID } from '../names.js';
import type { Ask, Filter, QdrantConnection, ScoredPoint, Search } from '../qdrant-connection.js';
import { statusOf } from '../qdrant-connection.js';
import { checkScope, fitsIdentity, indexIncompatible, indexMissing, readStamp } from '../stamp.js';
import type { QdrantStamp } from '../stamp.js';

/** An answer is tried so often before publishes are said to come too fast. */
const MOST_TRIES = 4;
/** Searches in one request. */
const MOST_SEARCHES = 64;
/** Values that a count by values returns at most. */
export const MAX_FACETS = 100_000;
/** Values asked for at least: every segment lists only its own most frequent ones, and the server adds these up. */
const LEAST_FACETS = 10_000;

/** The index became another generation between two requests of one answer. */
class IndexMoved extends Error {}

/** Whose index it is and what reads it. */
export interface LiveOptions {
  readonly alias: string;
  readonly embedder: Embedder;
}

const STAMP_SEARCH: Search = { filter: { must: [{ has_id: [STAMP_ID] }] }, limit: 1, with_payload: true };

/** By code point, as the index file sorts. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** A count by value. */
export interface Facet {
  readonly value: string;
  readonly count: number;
}

/** One answer being put together: all requests see one generation, or it is started again. */
export class View {
  private seen: QdrantStamp | null = null;
  private isChecked = true;

  constructor(
    private readonly connection: QdrantConnection,
    private readonly options: LiveOptions,
    private readonly expected: string | null,
  ) {}

  /** Whether this is the generation that was seen, or that is expected. */
  goesBy(generation: string): boolean {
    return (this.seen?.generation ?? this.expected) === generation;
  }

  /** Takes a stamp that another view of the same index has seen just now. @throws IndexMoved where it has seen another */
  goOnWith(stamp: QdrantStamp): void {
    this.see(stamp);
  }

  /** What the index says of itself. */
  async stamp(): Promise<QdrantStamp> {
    return this.seen ?? (await this.batch([])).stamp;
  }

  /** The same, whose project and environment the scope asks for. @throws BackendUnavailableError `index_incompatible` */
  async stampFor(scope: Scope): Promise<QdrantStamp> {
    const stamp = await this.stamp();
    checkScope(stamp, scope);
    return stamp;
  }

  /** Several searches, answered together with the generation that they are of. */
  async batch(searches: readonly Search[]): Promise<{ stamp: QdrantStamp; found: ScoredPoint[][] }> {
    const { alias } = this.options;
    const found: ScoredPoint[][] = [];
    let from = 0;
    do {
      const asked = [...searches.slice(from, from + MOST_SEARCHES), STAMP_SEARCH];
      const results = await this.ask((api, init) =>
        api.queryBatchPoints({ collection_name: alias, searches: asked }, init),
      );
      this.see(readStamp(results.at(-1)?.points[0]?.payload));
      found.push(...results.slice(0, -1).map(({ points }) => points));
      from += MOST_SEARCHES;
    } while (from < searches.length);
    return { stamp: await this.stamp(), found };
  }

  /** Points by filter, in no order. */
  async find(filter: Filter, limit: number, fields: readonly string[] | true = true): Promise<ScoredPoint[]> {
    const [found = []] = (
      await this.batch([{ filter, limit, with_payload: fields === true ? true : [...fields] }])
    ).found;
    return found;
  }

  /**
   * How often each value of a key occurs: most first, then by value. Never with `exact: true`: while a segment is
   * optimised, that lists values of deleted points with count 0, and can lock the server up (1.18.3).
   */
  async facet(key: string, filter: Filter, limit: number): Promise<Facet[]> {
    this.isChecked = false;
    const asked = { key, filter, limit: Math.max(limit, LEAST_FACETS), exact: false };
    const { hits } = await this.ask((api, init) =>
      api.facet({ collection_name: this.options.alias, ...asked }, init),
    );
    const facets = hits.filter(({ count }) => count > 0);
    return facets
      .map(({ value, count }) => ({ value: String(value), count }))
      .sort((a, b) => b.count - a.count || byCodePoint(a.value, b.value))
      .slice(0, limit);
  }

  /** Whether the server has finished optimising what was written last. */
  async isSettled(): Promise<boolean> {
    const { status } = await this.ask((api, init) =>
      api.getCollection({ collection_name: this.options.alias }, init),
    );
    return status === 'green';
  }

  async count(filter: Filter): Promise<number> {
    this.isChecked = false;
    const { count } = await this.ask((api, init) =>
      api.countPoints({ collection_name: this.options.alias, filter, exact: true }, init),
    );
    return count;
  }

  /** Ends the answer: what was counted, or remembered, has to be of the generation that is there now. */
  async finish(): Promise<void> {
    if (!this.isChecked || !this.seen) await this.batch([]);
  }

  private see(stamp: QdrantStamp | null): void {
    if (!stamp) throw indexIncompatible('this collection is not a Pith index');
    if (!fitsIdentity(stamp.identity, this.options.embedder.profile))
      throw indexIncompatible('another version of Pith built it, or with another PITH_EMBEDDER');
    const expected = this.seen?.generation ?? this.expected ?? stamp.generation;
    if (!stamp.isWhole || stamp.generation !== expected) throw new IndexMoved();
    this.seen = stamp;
    this.isChecked = true;
  }

  private async ask<T>(ask: Ask<T>): Promise<T> {
    try {
      return await this.connection.read(ask);
    } catch (error) {
      throw statusOf(error) === 404 ? indexMissing(error) : error;
    }
  }
}

/** The published index of a project and environment, as one alias names it. */
export class LiveCollection {
  constructor(
    private readonly connection: QdrantConnection,
    private readonly options: LiveOptions,
  ) {}

  /**
   * Puts an answer together from one generation; when the index moves on meanwhile, once more.
   * @param known  the generation that something was remembered of; the first try goes by it
   * @throws BackendUnavailableError `index_missing`, `index_incompatible`, `index_busy`, `qdrant`
   */
  async answer<T>(known: string | null, work: (view: View) => Promise<T>): Promise<T> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      try {
        const view = new View(this.connection, this.options, tries === 0 ? known : null);
        const answer = await work(view);
        await view.finish();
        return answer;
      } catch (error) {
        if (!(error instanceof IndexMoved)) throw error;
      }
    }
    throw new BackendUnavailableError('The index in Qdrant was replaced repeatedly while it was read.', {
      reason: 'index_busy',
      hint: 'Try again in a moment.',
    });
  }
}

/** Says that what was remembered is not there any more. */
export function moved(): Error {
  return new IndexMoved();
}
