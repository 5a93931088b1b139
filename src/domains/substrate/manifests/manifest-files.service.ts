import { Injectable } from '@nestjs/common';
import { ArtifactStore } from '../../../core/ports/work/artifact-store.port.js';
import { ManifestStore } from '../../../core/ports/work/manifest-store.port.js';
import type { WorkSpace } from '../../../core/ports/work/work-space.js';
import { unknownManifest } from '../../../core/work/substrate-failures.js';
import type { ManifestEntry } from './manifest.schemas.js';
import { entriesIn } from './manifest-content.js';

/** A file of a manifest. */
export interface ManifestFile extends ManifestEntry {
  readonly bytes: Buffer;
}

/** Reads manifests and their files. */
@Injectable()
export class ManifestFilesService {
  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly manifests: ManifestStore,
  ) {}

  /** The entries of a manifest, by path. @throws InvalidArgumentError `manifest_not_found` */
  async entries(space: WorkSpace, sha256: string): Promise<ManifestEntry[]> {
    if (!(await this.manifests.find(space, sha256))) throw unknownManifest(sha256);
    return entriesIn(await this.bytes(space, sha256));
  }

  /**
   * The files of a manifest, by path, one in memory at a time. Each is checked against its SHA-256.
   * @throws InvalidArgumentError `manifest_not_found`; BackendUnavailableError `artifact_damaged`
   */
  async *files(space: WorkSpace, sha256: string): AsyncGenerator<ManifestFile> {
    for (const entry of await this.entries(space, sha256))
      yield { ...entry, bytes: await this.bytes(space, entry.artifact_sha256) };
  }

  private async bytes(space: WorkSpace, sha256: string): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    for await (const part of this.artifacts.read(space, sha256)) parts.push(part);
    return Buffer.concat(parts);
  }
}
