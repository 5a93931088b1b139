import { BackendUnavailableError } from '../../../core/errors.js';
import type { EmbedderProfile } from '../../../core/ports/embedder.port.js';
import { blobIds, unpackBlob } from '../blobs.js';
import { MAX_FACETS } from '../live-collection.js';
import { collectionOf, type Slot, STAMP_ID } from '../names.js';
import type { Point } from '../points.js';
import {
  type Filter,
  nextOffset,
  type QdrantApi,
  type QdrantConnection,
  type ScrollOffset,
  statusOf,
} from '../qdrant-connection.js';
import { matchesAny, MAX_VALUES, pointsOf } from '../search/visible-points.js';
import { type BlobStamp, type QdrantStamp, readStamp, stampPoint } from '../stamp.js';

type CreateCollection = Omit<Parameters<QdrantApi['createCollection']>[0], 'collection_name'>;

/** The indexed payload fields, used in filters and counts. */
const PAYLOAD_INDEXES = {
  kind: 'keyword',
  doc_tag: 'keyword',
  repository: 'keyword',
  allow: 'keyword',
  path: 'keyword',
  folders: 'keyword',
  document_title: 'keyword',
  facets: 'keyword',
  acronyms: 'keyword',
  acronym_shorts: 'keyword',
  offered: 'keyword',
  flagged: 'keyword',
  digest: 'keyword',
  ordinal: 'integer',
  updated_at: 'datetime',
} as const;

/** Maximum number of points in a request. */
const MAX_BATCH = 500;

/** Settings of a new collection. Strict mode refuses filters without a payload index, which would be slow. */
function collectionSetup({ dimensions, recalls }: EmbedderProfile): CreateCollection {
  // Fitted vectors only rank lexical hits, so they need no HNSW graph for nearest-neighbour search.
  const graph = recalls ? {} : { hnsw_config: { m: 0 } };
  const dense = { size: dimensions, distance: 'Cosine' as const, ...graph };
  return {
    vectors: dimensions > 0 ? { dense } : {},
    sparse_vectors: { bm25: { modifier: 'idf' } },
    strict_mode_config: {
      enabled: true,
      unindexed_filtering_retrieve: false,
      unindexed_filtering_update: false,
      max_query_limit: MAX_FACETS,
      search_max_batchsize: 100,
      upsert_max_batchsize: MAX_BATCH,
      filter_max_conditions: 200,
      condition_max_size: MAX_VALUES,
    },
  };
}

/** Limit of a request; servers accept 32 MB. */
const MAX_BYTES = 2_000_000;
/** Documents listed per request. */
const PAGE = 1_000;

/** Returns null if Qdrant answers with this status: the collection does not exist (404), or exists already (409). */
async function orNull<T>(work: Promise<T>, status = 404): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (statusOf(error) === status) return null;
    throw error;
  }
}

function indexBusy(): BackendUnavailableError {
  return new BackendUnavailableError('Another process is writing this index in Qdrant.', {
    reason: 'index_busy',
    hint: 'Wait until the other `pith index` has finished, then run this one again.',
  });
}

/** The writable collection of an index; the other one of its two collections is live. */
export class WritableCollection {
  readonly name: string;
  private run: string | null = null;

  constructor(
    private readonly connection: QdrantConnection,
    alias: string,
    slot: Slot,
  ) {
    this.name = collectionOf(alias, slot);
  }

  /** Reads the collection's stamp; null if the collection or the stamp does not exist. */
  async stamp(): Promise<QdrantStamp | null> {
    const request = { collection_name: this.name, ids: [STAMP_ID], with_payload: true };
    const points = await orNull(this.connection.read((api, init) => api.getPoints(request, init)));
    return readStamp(points?.[0]?.payload);
  }

  /** Reads a blob; null if parts are missing. */
  async blob(stamp: BlobStamp): Promise<Buffer | null> {
    const request = { collection_name: this.name, ids: blobIds(stamp), with_payload: true };
    return unpackBlob(stamp, await this.connection.read((api, init) => api.getPoints(request, init)));
  }

  /**
   * Names this run as the writer, then reads the stamp: what another run writes later is not taken for what the stamp
   * says. @returns null if the collection or the stamp does not exist
   */
  async claim(run: string): Promise<QdrantStamp | null> {
    const request = { collection_name: this.name, wait: true, points: [STAMP_ID], payload: { run } };
    await orNull(this.connection.write((api, init) => api.setPayload(request, init)));
    const stamp = await this.stamp();
    this.run = stamp && run;
    return stamp;
  }

  /** Deletes the collection if it exists, and creates it empty. */
  async make(profile: EmbedderProfile): Promise<void> {
    await this.checkRun();
    this.run = null;
    const collection_name = this.name;
    await orNull(this.connection.write((api, init) => api.deleteCollection({ collection_name }, init)));
    const setup = collectionSetup(profile);
    const creation = { collection_name, ...setup };
    // A request whose answer was lost has created it.
    await orNull(
      this.connection.write((api, init) => api.createCollection(creation, init)),
      409,
    );
    for (const [field_name, field_schema] of Object.entries(PAYLOAD_INDEXES)) {
      const request = { collection_name, wait: true, field_name, field_schema };
      await this.connection.write((api, init) => api.createFieldIndex(request, init));
    }
  }

  /** Registers this run as the only one that may fill the collection. */
  async begin(stamp: QdrantStamp): Promise<void> {
    await this.put([stampPoint(stamp)]);
    this.run = stamp.run;
  }

  /** Counts the points of sections and documents. */
  async countPoints(): Promise<number> {
    const filter = pointsOf(['section', 'document', 'empty'], []);
    const request = { collection_name: this.name, filter, exact: true };
    return (await this.connection.read((api, init) => api.countPoints(request, init))).count;
  }

  /** The ids of points that exist, out of these. */
  async existing(ids: readonly string[]): Promise<Set<unknown>> {
    const request = { collection_name: this.name, ids: [...ids], with_payload: false };
    const points = await this.connection.read((api, init) => api.getPoints(request, init));
    return new Set(points.map(({ id }) => id));
  }

  /** Checks that no other run has begun: two runs would mix their documents or change a live index. */
  async checkRun(): Promise<void> {
    if (this.run !== null && (await this.stamp())?.run !== this.run) throw indexBusy();
  }

  /** The digests of documents. @param paths  null for all */
  async digests(paths: readonly string[] | null): Promise<Map<string, string>> {
    const digests = new Map<string, string>();
    const named = paths ? [matchesAny('path', paths)] : [];
    const query = { filter: pointsOf(['document', 'empty'], named), with_payload: ['path', 'digest'] };
    let offset: ScrollOffset;
    do {
      const request = {
        collection_name: this.name,
        limit: PAGE,
        ...query,
        ...(offset === undefined ? {} : { offset }),
      };
      const page = await this.connection.read((api, init) => api.scrollPoints(request, init));
      for (const { payload } of page.points)
        digests.set(String(payload?.['path']), String(payload?.['digest']));
      offset = nextOffset(page.next_page_offset);
    } while (offset !== undefined);
    return digests;
  }

  async remove(filter: Filter): Promise<void> {
    await this.checkRun();
    const request = { collection_name: this.name, wait: true, filter };
    await this.connection.write((api, init) => api.deletePoints(request, init));
  }

  /** Writes points in requests of limited size. */
  async put(points: Iterable<Point>): Promise<void> {
    let [batch, bytes]: [Point[], number] = [[], 0];
    for (const point of points) {
      const size = Buffer.byteLength(JSON.stringify(point));
      if (batch.length >= MAX_BATCH || (bytes > 0 && bytes + size > MAX_BYTES)) {
        await this.send(batch);
        [batch, bytes] = [[], 0];
      }
      batch.push(point);
      bytes += size;
    }
    if (batch.length > 0) await this.send(batch);
  }

  private async send(points: readonly Point[]): Promise<void> {
    await this.checkRun();
    const request = { collection_name: this.name, wait: true, points: [...points] };
    await this.connection.write((api, init) => api.upsertPoints(request, init));
  }
}
