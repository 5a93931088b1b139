import type { Ref } from '../../core/reply.js';
import { quotedLine } from '../../text/plain-line.js';
import type { StoredArtifactOutput } from './artifacts/artifact.schemas.js';
import type { ManifestOutput } from './manifests/manifest.schemas.js';
import type { PointerOutput } from './pointers/pointer.schemas.js';

/** Common parts of the tools of stored documents. */
export const SUBSTRATE = {
  feature: 'substrate',
  isCore: false,
  permission: 'read',
  mounts: ['work'],
} as const;

export const artifactRefs = ({ sha256 }: { readonly sha256: string }): Ref[] => [
  { type: 'artifact', id: sha256 },
];

/** A pointer and the manifest that it is at. */
export const pointerRefs = ({ namespace, name, manifest_sha256: id }: PointerOutput): Ref[] => [
  { type: 'pointer', id: `${namespace}/${name}` },
  { type: 'artifact', id },
];

export const artifactLine = ({ sha256, size_bytes, media_type }: StoredArtifactOutput): string =>
  `Artifact ${sha256}: ${size_bytes} bytes, ${media_type}.`;

export function manifestLine(manifest: ManifestOutput): string {
  const {
    sha256,
    entry_count: count,
    parent_sha256: parent,
    message,
    created_by: by,
    created_at: at,
  } = manifest;
  const after = parent === null ? '' : `, follows ${parent}`;
  return `Manifest ${sha256}: ${count} files, by ${by}, ${at}${after}${message === '' ? '' : `: ${quotedLine(message)}`}`;
}

export function pointerLine(pointer: PointerOutput): string {
  const { namespace, name, type, version, manifest_sha256: manifest, description } = pointer;
  const about = description === '' ? '' : `: ${quotedLine(description)}`;
  return `${namespace}/${name} (${type}, version ${version}) is at ${manifest}${about}`;
}
