import { z } from 'zod';
import type { IndexedManifest } from '../../../core/ports/index-source.js';
import type { Ref } from '../../../core/reply.js';
import { CAUSES } from '../../../diagnostics/why/why-missing.js';
import { filtersSchema, keywordsSchema, questionSchema } from '../../../kb/kb.schemas.js';
import { limitShape } from '../../../mcp/schema.js';
import { scopeSchema } from '../../../scope/scope.schema.js';
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
  ...limitShape,
});
export type IngestOutput = z.output<typeof ingestOutput>;

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

export const explainInput = z.strictObject({
  section_id: z
    .string()
    .min(1)
    .max(1_024)
    .describe('The expected section, or the path of its document for the section that got furthest.'),
  question: questionSchema,
  tool: z.enum(['kb.retrieve_evidence', 'kb.search']).default('kb.retrieve_evidence'),
  keywords: keywordsSchema,
  parts: z.array(z.string().min(1).max(1_000)).max(4).default([]).describe('Only of kb.retrieve_evidence.'),
  top_k: z.int().min(1).max(50).default(5).describe('Only of kb.search.'),
  max_per_doc: z.int().min(1).max(10).optional(),
  filters: filtersSchema.optional(),
  scope: scopeSchema.optional(),
});
export type ExplainInput = z.output<typeof explainInput>;

export const explainOutput = z.strictObject({
  section_id: z.string(),
  tool: z.string(),
  generation: z.string().nullable(),
  causes: z.array(
    z.strictObject({
      cause: z.enum(CAUSES),
      rank: z.int().nullable(),
      of: z.int().nullable(),
      listed: z.int(),
      others: z.array(z.string()),
      said: z.string(),
      next: z.string(),
    }),
  ),
  terms: z.strictObject({ asked: z.array(z.string()), held: z.array(z.string()) }),
  degraded: z.array(z.string()).optional(),
  ...limitShape,
});
export type Explanation = z.output<typeof explainOutput>;

type ManifestFacts = Pick<IngestOutput, 'manifest_sha256' | 'pointer'>;

/** A manifest as results name it. */
export function manifestFacts({ manifestSha256, pointer }: IndexedManifest): ManifestFacts {
  return { manifest_sha256: manifestSha256, ...(pointer ? { pointer: { ...pointer } } : {}) };
}

/** A manifest in a line of text; '' for none. */
export function manifestText({ manifest_sha256: sha256, pointer }: ManifestFacts): string {
  if (sha256 === undefined) return '';
  const named = pointer ? ` (${pointer.namespace}/${pointer.name}, version ${pointer.version})` : '';
  return `manifest ${sha256}${named}`;
}

/** The references to a manifest; [] for none. */
export function refsOfManifest({ manifest_sha256: sha256, pointer }: ManifestFacts): Ref[] {
  return [
    ...(sha256 === undefined ? [] : [{ type: 'artifact' as const, id: sha256 }]),
    ...(pointer ? [{ type: 'pointer' as const, id: `${pointer.namespace}/${pointer.name}` }] : []),
  ];
}
