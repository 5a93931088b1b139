import { z } from 'zod';
import { LIMIT_REASONS } from '../../core/reply.js';

/** Files, remarks, kinds of files and taxonomy keys that are listed. */
export const MAX_LISTED_NOTES = 50;

export const ingestInput = z.strictObject({
  source: z
    .strictObject({ folder: z.string().min(1).max(4_096).describe('Absolute path on the server.') })
    .describe('What to index.'),
});

const note = z.strictObject({ path: z.string(), reason: z.string() });
const counts = z.record(z.string(), z.int());

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
