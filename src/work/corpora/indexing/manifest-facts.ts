import type { IndexedManifest } from '../../../core/ports/index-source.js';
import type { Ref } from '../../../core/ref.js';
import type { IngestOutput } from './ingest.schemas.js';

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
