import { Injectable } from '@nestjs/common';
import type { WorkSpace } from '../../work-space.js';
import { ArtifactStore } from '../artifacts/artifact-store.js';
import { unknownArtifact, unknownManifest } from '../substrate-failures.js';
import type { ManifestEntry } from './manifest.schemas.js';
import { entriesIn } from './manifest-content.js';
import { type ManifestFacts, ManifestStore } from './manifest-store.js';

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
