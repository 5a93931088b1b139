import { z } from 'zod';
import { limitShape } from '../mcp/schema.js';
import { scopeSchema } from './scope.schema.js';

/** Documents of one page. */
export const MAX_LISTED_DOCUMENTS = 50;

const facet = z.strictObject({ name: z.string(), documents: z.int(), sections: z.int() });
/** `trusted` is absent for repositories that are trusted. */
const repository = facet.extend({ trusted: z.literal(false).optional() });

export const describeScopeInput = z.strictObject({
  documents: z
    .int()
    .min(1)
    .max(MAX_LISTED_DOCUMENTS)
    .optional()
    .describe('List this many documents per page instead of tags.'),
  cursor: z.string().min(1).max(512).nullable().optional(),
  scope: scopeSchema.optional(),
});

export const describeScopeOutput = z.strictObject({
  project_id: z.string(),
  environment: z.string(),
  doc_tags: z.array(facet),
  repositories: z.array(repository),
  /** Versions that visible documents have in their metadata; absent if there are none. */
  versions: z.array(z.string()).optional(),
  documents: z.int(),
  sections: z.int(),
  indexed_at: z.string(),
  /** Sources of visible repositories; absent if there are none. `checked_at`: when it was last read; null if it never was. */
  sources: z
    .array(
      z.strictObject({
        name: z.string(),
        checked_at: z.string().nullable(),
        /** True if it could not be read since then, so its documents may be old. */
        failing: z.literal(true).optional(),
      }),
    )
    .optional(),
  /** 0 for a caller that may see only some of the documents, because the size is that of all. */
  index_bytes: z.int(),
  /** The engine of the sections, then that of the graph if it is another one. */
  engines: z.array(z.string()),
  /** True if there are more tags, repositories or documents. */
  ...limitShape,
  /** Sorted by path; only if documents were requested. Paths are encoded as in section ids. */
  listed: z.array(z.strictObject({ path: z.string(), title: z.string(), doc_tag: z.string() })).optional(),
  /** Visible documents that address assistants or hide characters, by path; absent if there are none. */
  flagged: z
    .strictObject({
      documents: z.int(),
      first: z.array(
        z.strictObject({
          path: z.string(),
          flags: z.array(z.strictObject({ line: z.int(), reason: z.string() })),
        }),
      ),
    })
    .optional(),
  next_cursor: z.string().nullable().optional(),
  skipped: z.int().optional(),
});
export type ScopeDescription = z.output<typeof describeScopeOutput>;
