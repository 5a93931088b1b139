import { BackendUnavailableError, BudgetExceededError, InvalidArgumentError } from '../../core/errors.js';
import type { PointerName } from '../../core/ports/index-source.js';
import type { Pointer } from './pointers/pointer-store.js';

/** Also for what only another project or environment has. */
export function unknownArtifact(sha256: string): InvalidArgumentError {
  return new InvalidArgumentError(`There is no artifact ${sha256}.`, {
    reason: 'artifact_not_found',
    hint: 'Call substrate.manifest.checkout for the artifacts of a manifest, or upload it.',
  });
}

export function artifactTooLarge(maxBytes: number): InvalidArgumentError {
  return new InvalidArgumentError(`The artifact is larger than ${maxBytes} bytes.`, {
    reason: 'artifact_too_large',
    hint: 'Split the document, and upload each part.',
    details: { max_bytes: maxBytes },
  });
}

export function wrongSha256(expected: string, actual: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `The bytes have the SHA-256 ${actual}, not ${expected}. Nothing was stored.`,
    {
      reason: 'sha256_mismatch',
      hint: 'Check that the bytes are complete and unchanged, and send them again.',
      details: { expected_sha256: expected, actual_sha256: actual },
    },
  );
}

/** The project and environment have used all of their space. */
export function substrateFull(maxBytes: number): BudgetExceededError {
  return new BudgetExceededError(`This project may store ${maxBytes} bytes, and this would exceed it.`, {
    reason: 'substrate_full',
    hint: 'Ask the operator to raise PITH_SUBSTRATE_MAX_BYTES, then call again.',
    details: { max_bytes: maxBytes },
  });
}

/** The stored bytes are not those that were saved. */
export function artifactDamaged(sha256: string): BackendUnavailableError {
  return new BackendUnavailableError(`The stored bytes of the artifact ${sha256} are damaged.`, {
    reason: 'artifact_damaged',
    hint: 'Ask the operator to restore PITH_DATABASE, or the file PITH_WORK_FILE, from a backup.',
  });
}

export function unknownManifest(sha256: string): InvalidArgumentError {
  return new InvalidArgumentError(`There is no manifest ${sha256}.`, {
    reason: 'manifest_not_found',
    hint: 'Call substrate.pointer.list for the manifests that pointers name, or substrate.manifest.create.',
  });
}

export function unknownPointer({ namespace, name }: PointerName): InvalidArgumentError {
  return new InvalidArgumentError(`There is no pointer ${namespace}/${name}.`, {
    reason: 'pointer_not_found',
    hint: 'Call substrate.pointer.list for the pointers that exist.',
  });
}

const currentOf = ({ manifestSha256, version }: Pointer) => ({ current_sha256: manifestSha256, version });

export function pointerExists(pointer: Pointer): InvalidArgumentError {
  const { namespace, name, manifestSha256 } = pointer;
  return new InvalidArgumentError(`The pointer ${namespace}/${name} exists, and is at ${manifestSha256}.`, {
    reason: 'pointer_exists',
    hint: 'Move it with substrate.pointer.advance, or choose another name.',
    details: currentOf(pointer),
  });
}

/** Somebody else has moved the pointer. */
export function pointerConflict(pointer: Pointer): InvalidArgumentError {
  const { namespace, name, manifestSha256 } = pointer;
  return new InvalidArgumentError(
    `The pointer ${namespace}/${name} is at ${manifestSha256}. It was not moved.`,
    {
      reason: 'conflict',
      hint: 'Compare your manifest with the current one (substrate.manifest.diff), then repeat with expected_sha256 = current_sha256.',
      details: currentOf(pointer),
    },
  );
}

/** Somebody has moved the pointer since the call was written, and perhaps approved. */
export function pointerMoved(pointer: Pointer): InvalidArgumentError {
  const { namespace, name, manifestSha256 } = pointer;
  return new InvalidArgumentError(
    `The pointer ${namespace}/${name} is at ${manifestSha256}. Nothing was indexed.`,
    {
      reason: 'conflict',
      hint: 'Compare your manifest with the current one (substrate.manifest.diff), then repeat with manifest_sha256 = current_sha256.',
      details: currentOf(pointer),
    },
  );
}
