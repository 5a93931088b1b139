import { z } from 'zod';
import { hasNoControl } from '../../../text/control-characters.js';
import { lineSchema, sha256Schema } from '../../fields.schemas.js';
import { cursorSchema, pageShape } from '../../list-pages.js';

/** Longest path of an entry, in UTF-16 units. */
const MAX_ENTRY_PATH = 1_024;
/** Max folders of a path, itself included. */
const MAX_PATH_PARTS = 32;

/**
 * The rule that a path of a manifest breaks; null for a good one. A good path is relative and has one spelling only: it
 * names the same file on every system, and never one outside of the folder that it is written to.
 */
export function pathProblem(path: string): string | null {
  if (path.length === 0 || path.length > MAX_ENTRY_PATH) return `must have 1 to ${MAX_ENTRY_PATH} characters`;
  if (!path.isWellFormed() || !hasNoControl(path)) return 'must be valid Unicode without control characters';
  if (path.normalize('NFC') !== path) return 'must be in Unicode form NFC';
  if (path.includes('\\')) return 'must separate folders with /';
  if (path.startsWith('/') || /^[A-Za-z]:/.test(path)) return 'must be relative';
  const parts = path.split('/');
  if (parts.length > MAX_PATH_PARTS) return `must have at most ${MAX_PATH_PARTS} parts`;
  if (parts.includes('')) return 'must not contain // or end with /';
  return parts.some((part) => part === '.' || part === '..') ? 'must not contain . or .. as a folder' : null;
}

/** The folders that contain a path: `a` and `a/b` for `a/b/c`. */
export function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, i) => parts.slice(0, i + 1).join('/'));
}

/** Max entries, and max removed paths, of one call. */
export const MAX_CHANGES = 2_000;
const MAX_MESSAGE_CHARS = 500;
/** Items of one page. */
export const MAX_LISTED_ENTRIES = 500;
export const DEFAULT_LISTED_ENTRIES = 100;
export const MAX_LISTED_MANIFESTS = 100;
export const DEFAULT_LISTED_MANIFESTS = 20;

const pathSchema = z
  .string()
  .min(1)
  .max(MAX_ENTRY_PATH)
  .superRefine((path, context) => {
    const problem = pathProblem(path);
    if (problem !== null) context.addIssue({ code: 'custom', message: problem });
  });

const entrySchema = z.strictObject({
  path: pathSchema.describe('Relative, with /, such as guides/setup.md.'),
  artifact_sha256: sha256Schema,
  metadata: z
    .array(z.strictObject({ name: lineSchema(64).min(1), value: lineSchema(512) }))
    .max(8)
    .optional()
    .describe('Facts about the file, such as its title or source.'),
});
export type ManifestEntry = z.output<typeof entrySchema>;

export const createManifestInput = z.strictObject({
  entries: z.array(entrySchema).max(MAX_CHANGES).default([]).describe('Files to add, or to replace in base.'),
  base: sha256Schema.optional().describe('A manifest whose entries are taken over.'),
  remove: z.array(pathSchema).max(MAX_CHANGES).default([]).describe('Paths of base to leave out.'),
  parent_sha256: sha256Schema
    .optional()
    .describe('The manifest that it follows. Default: base, if there is one.'),
  message: lineSchema(MAX_MESSAGE_CHARS).default('').describe('What changed, in one line.'),
});
export type CreateManifestInput = z.output<typeof createManifestInput>;

const factsShape = {
  sha256: z.string(),
  parent_sha256: z.string().nullable(),
  message: z.string(),
  /** Number of its files. */
  entry_count: z.int(),
  created_by: z.string(),
  /** ISO-8601, UTC. */
  created_at: z.string(),
};
export const manifestOutput = z.strictObject(factsShape);
export type ManifestOutput = z.output<typeof manifestOutput>;

const entriesLimit = z.int().min(1).max(MAX_LISTED_ENTRIES).default(DEFAULT_LISTED_ENTRIES);

export const checkoutManifestInput = z.strictObject({
  manifest_sha256: sha256Schema,
  limit: entriesLimit,
  cursor: cursorSchema,
});
export type CheckoutManifestInput = z.output<typeof checkoutManifestInput>;

export const checkoutManifestOutput = z.strictObject({
  manifest: manifestOutput,
  /** By path. */
  entries: z.array(
    z.strictObject({
      path: z.string(),
      artifact_sha256: z.string(),
      metadata: z.array(z.strictObject({ name: z.string(), value: z.string() })).optional(),
    }),
  ),
  ...pageShape,
});
export type ManifestCheckout = z.output<typeof checkoutManifestOutput>;

export const diffManifestsInput = z.strictObject({
  old_sha256: sha256Schema,
  new_sha256: sha256Schema,
  limit: entriesLimit,
  cursor: cursorSchema,
});
export type DiffManifestsInput = z.output<typeof diffManifestsInput>;

export const CHANGES = ['added', 'removed', 'changed'] as const;

export const diffManifestsOutput = z.strictObject({
  /** Of all pages. */
  added: z.int(),
  removed: z.int(),
  changed: z.int(),
  /** By path. Equal SHA-256 mean that only the metadata changed. */
  changes: z.array(
    z.strictObject({
      path: z.string(),
      change: z.enum(CHANGES),
      old_sha256: z.string().nullable(),
      new_sha256: z.string().nullable(),
    }),
  ),
  ...pageShape,
});
export type ManifestDiff = z.output<typeof diffManifestsOutput>;

export const manifestHistoryInput = z.strictObject({
  manifest_sha256: sha256Schema,
  limit: z.int().min(1).max(MAX_LISTED_MANIFESTS).default(DEFAULT_LISTED_MANIFESTS),
  cursor: cursorSchema,
});
export type ManifestHistoryInput = z.output<typeof manifestHistoryInput>;

export const manifestHistoryOutput = z.strictObject({
  /** The manifest, its parent, and so on. */
  manifests: z.array(manifestOutput),
  ...pageShape,
});
export type ManifestHistory = z.output<typeof manifestHistoryOutput>;
