/** Names one pointer of a space. */
export interface PointerName {
  readonly namespace: string;
  readonly name: string;
}

/** A pointer as it was when it was resolved. */
interface ResolvedPointerName extends PointerName {
  readonly version: number;
}

/** A manifest that an index was built from. */
export interface IndexedManifest {
  readonly kind: 'manifest';
  readonly manifestSha256: string;
  /** The pointer that named it; null if the manifest was given itself. */
  readonly pointer: ResolvedPointerName | null;
}

/** The source of an index. */
export type IndexSource = { readonly kind: 'folder'; readonly path: string } | IndexedManifest;

const MANIFEST = /^manifest:([0-9a-f]{64})(?: ([^/ ]+)\/([^/@ ]+)@(\d+))?$/;

/** A manifest as one line, which the index stores in place of a folder. */
export function sourceLine({ manifestSha256, pointer }: IndexedManifest): string {
  const named = pointer ? ` ${pointer.namespace}/${pointer.name}@${pointer.version}` : '';
  return `manifest:${manifestSha256}${named}`;
}

/** The source that an index stores: the line of a manifest, or the path of a folder. */
export function readSourceLine(stored: string): IndexSource {
  const [, manifestSha256, namespace, name, version] = MANIFEST.exec(stored) ?? [];
  if (manifestSha256 === undefined) return { kind: 'folder', path: stored };
  const isNamed = namespace !== undefined && name !== undefined;
  const pointer = isNamed ? { namespace, name, version: Number(version) } : null;
  return { kind: 'manifest', manifestSha256, pointer };
}
