import { z } from 'zod';
import { limitShape } from '../mcp/schema.js';

export const MAX_QUERY = 2_000;
export const MAX_HITS = 50;
export const DEFAULT_HITS = 10;
export const MAX_CURSOR = 512;

/** Maximum number of chunks on each side of the target of get_doc. */
export const MAX_CONTEXT = 5;
/** Limit of a reply of get_doc (bytes). */
export const GET_DOC_BYTES = 65_536;

const hit = z.strictObject({
  chunk_id: z.string(),
  score: z.number(),
  heading: z.string(),
  breadcrumb: z.string(),
  snippet: z.string(),
  filepath: z.string(),
  metadata: z.record(z.string(), z.string()),
});

// All other fields are taxonomy keys. The index decides which exist, so the service checks them.
export const searchDocsInput = z.looseObject({
  query: z.string().min(1).max(MAX_QUERY).regex(/\S/u),
  limit: z.int().min(1).max(MAX_HITS).default(DEFAULT_HITS),
  cursor: z.string().min(1).max(MAX_CURSOR).optional(),
});
export type SearchDocsInput = z.output<typeof searchDocsInput>;

export const searchDocsOutput = z.strictObject({
  hits: z.array(hit),
  next_cursor: z.string().nullable(),
  hint: z
    .strictObject({ message: z.string(), suggested_filters: z.record(z.string(), z.array(z.string())) })
    .nullable(),
});
export type SearchDocsOutput = z.output<typeof searchDocsOutput>;

const chunk = z.strictObject({
  chunk_id: z.string(),
  position: z.int(),
  total: z.int(),
  relation: z.enum(['target', 'context']),
  offset: z.int(),
  heading: z.string().nullable(),
  /** Of the heading in its page, if GitHub would make another one of the title. Not in the contract. */
  anchor: z.string().optional(),
  text: z.string(),
  filepath: z.string(),
  metadata: z.record(z.string(), z.string()),
});

export const getDocInput = z.strictObject({
  chunk_id: z
    .string()
    .max(1_026)
    .describe(
      "The exact ID of the chunk to retrieve, as returned by search_docs (e.g., 'guides/retries.md#backoff-strategy').",
    ),
  context: z
    .int()
    .min(0)
    .max(MAX_CONTEXT)
    .default(0)
    .describe(
      'Number of adjacent chunks to include before and after the target chunk. Default is 0. ' +
        'Use this to read the surrounding file context.',
    ),
  // Not in the contract. chunk_id takes the same value, for clients that send listed fields only.
  cursor: z.string().max(1_026).optional().meta({ isUnlisted: true }),
  /** Other ids, of which the error names the first that is found. Default: it names the most similar of all paths. */
  nearest: z.array(z.string().max(1_026)).max(8).optional().meta({ isUnlisted: true }),
});
export type GetDocInput = z.output<typeof getDocInput>;

export const getDocOutput = z.strictObject({
  chunks: z.array(chunk),
  ...limitShape,
  /** Of the file, if it is read from its start and does not begin with it. Not in the contract. */
  title: z.string().optional(),
  /** If a file is read: the chunk_id to read on with. Absent at its end. */
  next_cursor: z.string().optional(),
});
export type GetDocOutput = z.output<typeof getDocOutput>;
