import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';

const leftOutSchema = z.object({
  /** Number of files that were skipped. */
  skipped: z.number(),
  /** The first of them, problems first. */
  examples: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Files in unsupported formats; first those that can be converted. */
  unread: z.array(z.object({ extension: z.string(), files: z.number(), advice: z.string().nullable() })),
});

/** Files of a source that an index run left out. */
export type UnindexedFiles = z.output<typeof leftOutSchema>;

const sourceSchema = z.object({
  name: z.string(),
  /** Where it was read; absent in files of earlier versions. */
  address: z.string().optional(),
  /** Of its documents, unless they name another one. */
  repository: z.string(),
  /** When the source was last asked, or its folder read, with success: ISO 8601; null if it never was. */
  checked_at: z.string().nullable(),
  /** Why its pages are old; null if all is well. */
  problem: z.string().nullable(),
  /** As the last run left it; absent in files of earlier versions. */
  state: z.string().optional(),
  pages: z.number().optional(),
  /** Of the copy that its pages come from. */
  revision: z.string().nullish(),
  fetched_at: z.string().nullish(),
  left_out: leftOutSchema.nullish(),
});
export const notedSources = z.array(sourceSchema);
const schema = z.object({ sources: notedSources });

/** A source of an index, as servers describe it. */
export type NotedSource = z.output<typeof sourceSchema>;

/** The file with the sources of an index, beside it. */
export const sourcesPlace = (indexFile: string): string => `${indexFile}.sources.json`;

/** The sources of an index; empty if it has none. */
export function readIndexSources(indexFile: string): readonly NotedSource[] {
  try {
    return schema.parse(JSON.parse(readFileSync(sourcesPlace(indexFile), 'utf8'))).sources;
  } catch {
    // No such file: the index has only folders.
    return [];
  }
}

/** Replaces a file in one step. @param mode  default: only this user reads it */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, text, { mode, flush: true });
  renameSync(draft, file);
}

/** Replaces a file by JSON in one step. */
export const writeWhole = (file: string, value: object): void => replaceFile(file, JSON.stringify(value));

/** Notes the sources of an index after a run. @returns the names of those that are no longer in it */
export function noteSources(indexFile: string, sources: readonly NotedSource[]): readonly string[] {
  const before = readIndexSources(indexFile);
  const noted = sources.map((source) => {
    // Its pages, if it has any, are those of the last run.
    const last = source.state === 'failed' ? before.find(({ name }) => name === source.name) : undefined;
    return { ...source, address: last?.address ?? source.address };
  });
  // An empty list also replaces the one that others have.
  if (sources.length + before.length > 0)
    writeWhole(sourcesPlace(indexFile), schema.parse({ sources: noted }));
  return before.flatMap(({ name }) => (sources.some((each) => each.name === name) ? [] : [name]));
}
