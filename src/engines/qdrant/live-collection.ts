import { BackendUnavailableError } from '../../core/errors.js';
import type { Embedder } from '../../core/ports/embedder.port.js';
import { identityTest } from '../../sqlite/index-file.js';
import { STAMP_ID } from './names.js';
import {
  type AskQdrant,
  type Filter,
  nextOffset,
  type QdrantConnection,
  type Schemas,
  type ScoredPoint,
  type ScrollOffset,
  type Search,
  statusOf,
} from './qdrant-connection.js';
import { identityOf, indexIncompatible, indexMissing, type QdrantStamp, readStamp } from './stamp.js';

/** Attempts to read one generation while indexes are being published. */
const MAX_TRIES = 4;
const MAX_SEARCHES = 64;
/** Maximum number of values that a facet count returns. */
export const MAX_FACETS = 100_000;
/** Points per request when a facet count does not return all values. */
const SCROLL_PAGE = 10_000;
/** Minimum number of values to request: the server adds up the top values of each segment, so low limits miss some. */
const MIN_FACETS = 10_000;

/** The index changed to another generation between two requests of one answer; `answer` then tries again. */
export class IndexMoved extends Error {}

interface LiveOptions {
  readonly alias: string;
  readonly embedder: Embedder;
}

const STAMP_SEARCH: Search = { filter: { must: [{ has_id: [STAMP_ID] }] }, limit: 1, with_payload: true };

/** Sorts many texts by code point. */
export function sortedByCodePoint(texts: readonly string[]): string[] {
  return texts
    .map((text) => Buffer.from(text))
    .sort((a, b) => Buffer.compare(a, b))
    .map(String);
}

/** Sorts by code point, the order of the index file. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

type FacetHits = Schemas['FacetResponse']['hits'];

interface Facet {
  readonly value: string;
  readonly count: number;
}

/** The values that points have now. */
const presentOf = (hits: FacetHits): Facet[] =>
  hits.flatMap(({ value, count }) => (count > 0 ? [{ value: String(value), count }] : []));

/** The texts of a payload field, which holds one or several. */
function listOf(field: unknown): string[] {
  const texts = Array.isArray(field) ? field : [field];
  return texts.filter((text): text is string => typeof text === 'string');
}

/** The requests of one answer. All must see the same generation; otherwise the answer is started again. */
export class View {
  private seen: QdrantStamp | null = null;
  private isChecked = true;

  constructor(
    private readonly connection: QdrantConnection,
    private readonly options: LiveOptions,
    private readonly expected: string | null,
  ) {}

  /** True if this is the generation that was seen or, before the first answer, the expected one. */
  goesBy(generation: string): boolean {
    return (this.seen?.generation ?? this.expected) === generation;
  }

  async stamp(): Promise<QdrantStamp> {
    return this.seen ?? (await this.batch([])).stamp;
  }

  /** Runs several searches. @returns the found points of each, and the stamp of the generation that answered */
  async batch(searches: readonly Search[]): Promise<{ stamp: QdrantStamp; found: ScoredPoint[][] }> {
    const { alias } = this.options;
    const found: ScoredPoint[][] = [];
    let from = 0;
    do {
      const batch = [...searches.slice(from, from + MAX_SEARCHES), STAMP_SEARCH];
      const request = { collection_name: alias, searches: batch };
      const results = await this.ask((api, init) => api.queryBatchPoints(request, init));
      this.see(readStamp(results.at(-1)?.points[0]?.payload));
      found.push(...results.slice(0, -1).map(({ points }) => points));
      from += MAX_SEARCHES;
    } while (from < searches.length);
    return { stamp: await this.stamp(), found };
  }

  /** Finds points by filter, in any order. */
  async find(filter: Filter, limit: number, fields: readonly string[] | true = true): Promise<ScoredPoint[]> {
    const with_payload = fields === true ? true : [...fields];
    const { found } = await this.batch([{ filter, limit, with_payload }]);
    return found[0] ?? [];
  }

  /** Counts the occurrences of each value of a key: most frequent first, then by value. */
  async facet(key: string, filter: Filter, limit: number): Promise<Facet[]> {
    const facets = presentOf(await this.facetHits(key, filter, Math.max(limit, MIN_FACETS)));
    return facets.sort((a, b) => b.count - a.count || byCodePoint(a.value, b.value)).slice(0, limit);
  }

  /**
   * All values of a key, in any order. A facet count answers in one request, but with a limited number of values; if
   * there may be more, the points are read page by page.
   */
  async values(key: string, filter: Filter): Promise<string[]> {
    const hits = await this.facetHits(key, filter, MAX_FACETS);
    if (hits.length < MAX_FACETS) return presentOf(hits).map(({ value }) => value);
    const values = new Set<string>();
    const request = { collection_name: this.options.alias, filter, with_payload: [key], limit: SCROLL_PAGE };
    let from: ScrollOffset;
    do {
      const offset = from === undefined ? {} : { offset: from };
      const page = await this.ask((api, init) => api.scrollPoints({ ...request, ...offset }, init));
      for (const { payload } of page.points) for (const value of listOf(payload?.[key])) values.add(value);
      from = nextOffset(page.next_page_offset);
    } while (from !== undefined);
    return [...values];
  }

  /** True when the server has finished optimising the latest writes. */
  async isSettled(): Promise<boolean> {
    const request = { collection_name: this.options.alias };
    const { status } = await this.ask((api, init) => api.getCollection(request, init));
    return status === 'green';
  }

  async count(filter: Filter): Promise<number> {
    this.isChecked = false;
    const request = { collection_name: this.options.alias, filter, exact: true };
    const { count } = await this.ask((api, init) => api.countPoints(request, init));
    return count;
  }

  /** Ends the answer; checks that counts and cached data belong to the current generation. @throws IndexMoved */
  async finish(): Promise<void> {
    if (!this.isChecked || !this.seen) await this.batch([]);
  }

  /** Checks a stamp that this or another view has just read. @throws IndexMoved if it is of another generation */
  see(stamp: QdrantStamp | null): void {
    if (!stamp) throw indexIncompatible('this collection is not a Pith index');
    const { profile } = this.options.embedder;
    if (!identityTest(profile, identityOf(profile))(stamp.identity))
      throw indexIncompatible(
        'another version of Pith built it, or with another PITH_EMBEDDER, or the encoder was installed or removed',
      );
    const expected = this.seen?.generation ?? this.expected ?? stamp.generation;
    if (!stamp.isWhole || stamp.generation !== expected) throw new IndexMoved();
    this.seen = stamp;
    this.isChecked = true;
  }

  /**
   * Never with `exact: true`: while a segment is being optimised, it lists values of deleted points with count 0 and can
   * block the server (1.18.3).
   */
  private async facetHits(key: string, filter: Filter, limit: number): Promise<FacetHits> {
    this.isChecked = false;
    const request = { collection_name: this.options.alias, key, filter, limit, exact: false };
    return (await this.ask((api, init) => api.facet(request, init))).hits;
  }

  private async ask<T>(ask: AskQdrant<T>): Promise<T> {
    try {
      return await this.connection.read(ask);
    } catch (error) {
      throw statusOf(error) === 404 ? indexMissing(error) : error;
    }
  }
}

/** The published index of a project and environment, found by its alias. */
export class LiveCollection {
  constructor(
    private readonly connection: QdrantConnection,
    private readonly options: LiveOptions,
  ) {}

  /**
   * Runs `work` on one generation, and repeats it if another index was published meanwhile.
   * @param known  the generation of the caller's cached data; expected in the first try
   * @throws BackendUnavailableError `index_missing`, `index_incompatible`, `index_busy`, `qdrant`
   */
  async answer<T>(known: string | null, work: (view: View) => Promise<T>): Promise<T> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
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
