import type { EmbedderProfile } from '../../../core/ports/embedder.port.js';
import { MAX_FACETS } from '../live-collection.js';
import type { QdrantApi } from '../qdrant-connection.js';
import { MAX_VALUES } from '../search/visible-points.js';

type CreateCollection = Omit<Parameters<QdrantApi['createCollection']>[0], 'collection_name'>;

/** Payload fields used in filters and counts. */
const INDEXES = {
  kind: 'keyword',
  doc_tag: 'keyword',
  repository: 'keyword',
  path: 'keyword',
  folders: 'keyword',
  document_title: 'keyword',
  facets: 'keyword',
  acronyms: 'keyword',
  acronym_shorts: 'keyword',
  offered: 'keyword',
  digest: 'keyword',
  ordinal: 'integer',
  updated_at: 'datetime',
} as const;

/** The requests that create these indexes. */
export const PAYLOAD_INDEXES = Object.entries(INDEXES).map(([field_name, field_schema]) => ({
  field_name,
  field_schema,
}));

/** Maximum number of points in a request. */
export const MAX_BATCH = 500;

/** Turns off the HNSW graph: fitted vectors only rank lexical hits, without nearest-neighbour search. */
const NO_GRAPH = { m: 0 };

/**
 * The settings for creating a collection. Strict mode refuses queries that lack a payload index, so such a mistake is
 * an error in a test instead of a slow server.
 */
export function collectionSetup({ dimensions, recalls }: EmbedderProfile): CreateCollection {
  const dense = {
    size: dimensions,
    distance: 'Cosine' as const,
    ...(recalls ? {} : { hnsw_config: NO_GRAPH }),
  };
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
