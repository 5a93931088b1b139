import { z } from 'zod';
import { limitShape } from '../../../mcp/schema.js';
import { sha256Schema } from '../../fields.schemas.js';

/** Max bytes of one upload by the tool. */
export const MAX_UPLOAD_BYTES = 262_144;
/** Max bytes of one reply with the content of an artifact, and the default. */
export const MAX_CONTENT_BYTES = 32_768;
export const DEFAULT_CONTENT_BYTES = 16_384;
/** Larger than any artifact. */
const MAX_OFFSET = 1_000_000_000;

const mediaTypeSchema = z
  .string()
  .max(127)
  .regex(/^[\w.+-]+\/[\w.+-]+(?:; ?[\w-]+=[\w.-]+)?$/, 'must be a media type such as text/markdown');

export const uploadArtifactInput = z.strictObject({
  text: z.string().max(MAX_UPLOAD_BYTES).optional().describe('The content, if it is text; stored as UTF-8.'),
  base64: z
    .string()
    .max(Math.ceil(MAX_UPLOAD_BYTES / 3) * 4)
    .optional()
    .describe('The content, if it is not text. Send either text or base64.'),
  media_type: mediaTypeSchema
    .optional()
    .describe('Default: text/plain for text, else application/octet-stream.'),
  sha256: sha256Schema.optional().describe('The SHA-256 that the bytes must have; others are refused.'),
});
export type UploadArtifactInput = z.output<typeof uploadArtifactInput>;

export const artifactInput = z.strictObject({ sha256: sha256Schema });

const artifactShape = {
  sha256: z.string(),
  size_bytes: z.int(),
  media_type: z.string(),
};

export const storedArtifactOutput = z.strictObject(artifactShape);
export type StoredArtifactOutput = z.output<typeof storedArtifactOutput>;

export const artifactInfoOutput = z.strictObject({
  ...artifactShape,
  published_by: z.string(),
  /** ISO-8601, UTC. */
  published_at: z.string(),
});
export type ArtifactInfo = z.output<typeof artifactInfoOutput>;

export const getArtifactInput = z.strictObject({
  sha256: sha256Schema,
  format: z.enum(['text', 'base64']).default('text'),
  offset: z
    .int()
    .min(0)
    .max(MAX_OFFSET)
    .default(0)
    .describe('In bytes: 0, or next_offset of the reply before.'),
  max_bytes: z.int().min(16).max(MAX_CONTENT_BYTES).default(DEFAULT_CONTENT_BYTES),
});
export type GetArtifactInput = z.output<typeof getArtifactInput>;

export const artifactContentOutput = z.strictObject({
  ...artifactShape,
  offset: z.int(),
  /** One of them, as asked. */
  text: z.string().optional(),
  base64: z.string().optional(),
  /** Null at the end. */
  next_offset: z.int().nullable(),
  ...limitShape,
});
export type ArtifactContent = z.output<typeof artifactContentOutput>;
