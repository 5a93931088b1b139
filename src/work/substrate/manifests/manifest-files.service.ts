import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { InvalidArgumentError } from '../../../core/errors.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import type { WorkSpace } from '../../work-space.js';
import { ArtifactStore } from '../artifacts/artifact-store.js';
import { unknownArtifact, unknownManifest } from '../substrate-failures.js';
import { type CreateManifestInput, foldersOf, type ManifestEntry } from './manifest.schemas.js';
import { type ManifestFacts, ManifestStore } from './manifest-store.js';

/** Max files of one manifest. */
const MAX_ENTRIES = 10_000;
/** Max bytes of the JSON of one manifest. */
export const MAX_MANIFEST_BYTES = 8_388_608;
/** Paths that a message names. */
const MAX_NAMED = 10;

/** Without the rules for paths, which were checked when the manifest was made: they take most of the time. */
const contentSchema = z.object({
  entries: z.array(
    z.object({
      path: z.string(),
      artifact_sha256: z.string(),
      metadata: z.array(z.object({ name: z.string(), value: z.string() })).optional(),
    }),
  ),
});

const byPath = (a: ManifestEntry, b: ManifestEntry): number => (a.path < b.path ? -1 : 1);

function refused(reason: string, message: string, paths: readonly string[]): InvalidArgumentError {
  return new InvalidArgumentError(`${message}: ${paths.slice(0, MAX_NAMED).join(', ')}.`, {
    reason,
    hint: 'Correct these paths and call again. No manifest was made.',
    details: { paths: paths.slice(0, MAX_NAMED), count: paths.length },
  });
}

/** Values that occur more than once. */
function repeated(values: readonly string[]): string[] {
  const [seen, twice] = [new Set<string>(), new Set<string>()];
  for (const value of values) (seen.has(value) ? twice : seen).add(value);
  return [...twice];
}

const sortedMetadata = ({ metadata, ...entry }: ManifestEntry): ManifestEntry =>
  metadata === undefined || metadata.length === 0
    ? entry
    : { ...entry, metadata: [...metadata].sort((a, b) => (a.name < b.name ? -1 : 1)) };

function checkChanges(base: ReadonlyMap<string, ManifestEntry>, changes: ManifestChanges): void {
  const { entries, remove } = changes;
  const twice = repeated([...entries.map(({ path }) => path), ...remove]);
  if (twice.length > 0) throw refused('path_repeated', 'A call may name each path once', twice);
  const unknown = remove.filter((path) => !base.has(path));
  if (unknown.length > 0) throw refused('path_not_found', 'base has no such paths', unknown);
  const named = entries.filter(({ metadata = [] }) => repeated(metadata.map(({ name }) => name)).length > 0);
  if (named.length > 0)
    throw refused(
      'metadata_repeated',
      'Names of metadata repeat in',
      named.map(({ path }) => path),
    );
}

type ManifestChanges = Pick<CreateManifestInput, 'entries' | 'remove'>;

/**
 * The entries of a new manifest, by path.
 * @param base  the entries to start with
 * @throws InvalidArgumentError `path_repeated`, `path_not_found`, `metadata_repeated`, `path_is_folder`,
 *   `manifest_too_large`
 */
export function changedEntries(base: readonly ManifestEntry[], changes: ManifestChanges): ManifestEntry[] {
  const kept = new Map(base.map((entry) => [entry.path, entry]));
  checkChanges(kept, changes);
  for (const path of changes.remove) kept.delete(path);
  for (const entry of changes.entries) kept.set(entry.path, sortedMetadata(entry));
  const folders = [...kept.keys()].flatMap(foldersOf);
  const both = [...new Set(folders.filter((folder) => kept.has(folder)))];
  if (both.length > 0) throw refused('path_is_folder', 'A file can not also be a folder', both);
  if (kept.size > MAX_ENTRIES) throw tooLarge(`${kept.size} entries; it may have ${MAX_ENTRIES}`);
  return [...kept.values()].sort(byPath);
}

function tooLarge(size: string): InvalidArgumentError {
  return new InvalidArgumentError(`The manifest would have ${size}.`, {
    reason: 'manifest_too_large',
    hint: 'Publish the files in several manifests, each with a pointer of its own.',
  });
}

/** A manifest without its entries. */
interface ManifestHead {
  /** Null for none. */
  readonly parent: string | null;
  /** Empty for none. */
  readonly message: string;
}

/**
 * The JSON of a manifest in canonical form (RFC 8785), over which its SHA-256 is computed. Equal files with equal parents
 * and messages have equal JSON.
 * @param entries  by path
 * @throws InvalidArgumentError `manifest_too_large`
 */
export function manifestJson(entries: readonly ManifestEntry[], { parent, message }: ManifestHead): Buffer {
  const content = {
    entries,
    ...(message === '' ? {} : { message }),
    ...(parent === null ? {} : { parent }),
  };
  const json = Buffer.from(canonicalJson(content));
  if (json.length > MAX_MANIFEST_BYTES)
    throw tooLarge(`${json.length} bytes of JSON; it may have ${MAX_MANIFEST_BYTES}`);
  return json;
}

/** The entries in the JSON of a manifest. */
export function entriesIn(json: Buffer): ManifestEntry[] {
  const content: unknown = JSON.parse(json.toString('utf8'));
  return contentSchema.parse(content).entries;
}

/** A file of a manifest. */
export interface ManifestFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** When its bytes were first stored, in milliseconds since the epoch. */
  readonly publishedAt: number;
  /** The bytes in parts. The last part is given only after the hash of all parts was checked. */
  readonly parts: AsyncIterable<Uint8Array>;
}

/** Reads manifests and their files. */
@Injectable()
export class ManifestFilesService {
  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly manifests: ManifestStore,
  ) {}

  /** @throws InvalidArgumentError `manifest_not_found` */
  async find(space: WorkSpace, sha256: string): Promise<ManifestFacts> {
    const facts = await this.manifests.find(space, sha256);
    if (!facts) throw unknownManifest(sha256);
    return facts;
  }

  /** The entries of a manifest, by path. @throws as `find` */
  async entries(space: WorkSpace, sha256: string): Promise<ManifestEntry[]> {
    await this.find(space, sha256);
    return entriesIn(await this.bytes(space, sha256));
  }

  /** The file of an entry. @throws InvalidArgumentError `artifact_not_found`; its parts: BackendUnavailableError `artifact_damaged` */
  async file(space: WorkSpace, { path, artifact_sha256: sha256 }: ManifestEntry): Promise<ManifestFile> {
    const artifact = await this.artifacts.find(space, sha256);
    if (!artifact) throw unknownArtifact(sha256);
    const { publishedAt, sizeBytes } = artifact;
    return { path, publishedAt, sizeBytes, parts: this.artifacts.read(space, sha256) };
  }

  private async bytes(space: WorkSpace, sha256: string): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.artifacts.read(space, sha256)) parts.push(part);
    return Buffer.concat(parts);
  }
}
