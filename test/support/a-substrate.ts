import { createHash } from 'node:crypto';
import type { NewArtifact } from '../../src/work/substrate/artifacts/artifact-rows.js';
import type { NewPointer } from '../../src/work/substrate/pointers/pointer-store.js';
import type { WorkSpace } from '../../src/work/work-space.js';

export const SPACE: WorkSpace = { projectId: 'docs', environment: 'prod' };
/** Another project, and another environment of the same project. */
export const OTHER_SPACES: readonly WorkSpace[] = [
  { projectId: 'other', environment: 'prod' },
  { projectId: 'docs', environment: 'dev' },
];

export const sha256Of = (bytes: Uint8Array | string): string =>
  createHash('sha256').update(bytes).digest('hex');
/** A SHA-256 of nothing that is stored. */
export const UNKNOWN_SHA256 = sha256Of('nothing that is stored');

/** Bytes that differ everywhere, so that lost and swapped chunks show. */
export const someBytes = (length: number, seed = 1): Buffer =>
  Buffer.from(
    Uint32Array.from({ length: Math.ceil(length / 4) }, (_, i) => (i + seed) * 2_654_435_761).buffer,
  ).subarray(0, length);

export function aNewArtifact(overrides: Partial<NewArtifact> = {}): NewArtifact {
  return {
    space: SPACE,
    expectedSha256: null,
    mediaType: 'text/plain',
    publishedBy: 'ann',
    maxBytes: 20_971_520,
    ...overrides,
  };
}

export function aNewPointer(overrides: Partial<NewPointer> = {}): NewPointer {
  return {
    namespace: 'default',
    name: 'handbook',
    type: 'corpus',
    description: 'The handbook',
    manifestSha256: sha256Of('first'),
    by: 'ann',
    reason: 'created',
    ...overrides,
  };
}

/** All bytes of the parts. */
export async function joined(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const part of parts) read.push(part);
  return Buffer.concat(read);
}
