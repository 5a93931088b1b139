import { z } from 'zod';
import { LIMIT_REASONS } from '../../../core/reply.js';
import { sha256Schema } from '../../fields.schemas.js';
import { pointerNameSchema } from '../../substrate/pointers/pointer.schemas.js';

/** Files, remarks, kinds of files and taxonomy keys that are listed. */
export const MAX_LISTED_NOTES = 50;

/** Time for a run; a model that embeds a large corpus takes hours (ms). */
export const RUN_MS = 6 * 3_600_000;

export const documentsSchema = z
  .strictObject({
    folder: z.string().min(1).max(4_096).optional().describe('Absolute path on the server.'),
    manifest_sha256: sha256Schema.optional().describe('The files of this manifest.'),
    pointer: pointerNameSchema
      .optional()
      .describe(
        'The files of the manifest that it is at now; with manifest_sha256, only if it is at that one.',
      ),
  })
  .refine(
    ({ folder, ...stored }) => (folder === undefined) === Object.keys(stored).length > 0,
    'give a folder, or manifest_sha256, pointer or both',
  )
  .describe(
    'A folder, or a manifest: by manifest_sha256, by pointer, or by both, so that exactly what was approved is indexed.',
  );
export type DocumentsInput = z.output<typeof documentsSchema>;

export const ingestInput = z.strictObject({ source: documentsSchema });

const note = z.strictObject({ path: z.string(), reason: z.string() });
const counts = z.record(z.string(), z.int());

/** The manifest that was indexed, and the pointer that named it; absent for a folder. */
export const manifestShape = {
  manifest_sha256: z.string().optional(),
  pointer: z.strictObject({ namespace: z.string(), name: z.string(), version: z.int() }).optional(),
};

export const ingestOutput = z.strictObject({
  generation: z.string(),
  documents: z.int(),
  sections: z.int(),
  parsed: z.int(),
  unchanged: z.int(),
  resumed: z.int(),
  removed: z.int(),
  ignored: z.int(),
  seconds: z.number(),
  ...manifestShape,
  graph: z.strictObject({
    nodes: counts,
    edges: counts,
    links: z.int(),
    unresolved: z.int(),
    examples: z.array(z.string()),
  }),
  taxonomy: z.array(z.strictObject({ key: z.string(), values: z.int() })),
  unread: z.array(z.strictObject({ extension: z.string(), files: z.int(), advice: z.string().nullable() })),
  skipped: z.array(note),
  skipped_files: z.int(),
  remarks: z.array(note),
  partial: z.boolean(),
  limit_reason: z.enum(LIMIT_REASONS),
});
export type IngestOutput = z.output<typeof ingestOutput>;
