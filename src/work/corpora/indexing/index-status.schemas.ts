import { z } from 'zod';
import { manifestShape } from './ingest.schemas.js';

export const indexStatusInput = z.strictObject({
  known_generation: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe('A generation from an earlier result: changed says if there is another one now.'),
});

export const indexStatusOutput = z.strictObject({
  project_id: z.string(),
  environment: z.string(),
  /** Null if there is no index that this server can read. */
  generation: z.string().nullable(),
  changed: z.boolean().optional(),
  documents: z.int(),
  sections: z.int(),
  indexed_at: z.string().nullable(),
  engines: z.array(z.string()),
  embedder: z.string().nullable(),
  is_running: z.boolean(),
  source: z
    .strictObject({
      kind: z.enum(['folder', 'manifest']),
      /** Of a folder. */
      name: z.string().optional(),
      /** Of a folder; only for callers on the machine of the server. */
      path: z.string().optional(),
      ...manifestShape,
    })
    .nullable(),
});
export type IndexStatus = z.output<typeof indexStatusOutput>;
