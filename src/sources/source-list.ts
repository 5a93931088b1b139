import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { InvalidArgumentError } from '../core/errors.js';
import { type DeclaredSource, intervalMs, MANIFEST_NAME, openManifest } from '../ingest/manifest/manifest.js';
import { ManifestFault, offsetOf, readManifestText } from '../ingest/manifest/manifest-lines.js';
import { isSurelyVersion, isUnreleasedName, plainVersion } from '../text/version-name.js';
import { type AddressOptions, type AnySource, readAddress, shownAddress } from './read-address.js';

/** A source with what a list says about its documents. */
export interface ListedSource {
  readonly source: AnySource;
  readonly docTag: string;
  readonly repository: string;
  readonly isTrusted: boolean;
  readonly include?: readonly string[] | undefined;
  readonly exclude?: readonly string[] | undefined;
  readonly version?: string | undefined;
  readonly allow?: readonly string[] | undefined;
  /** The version that its branch or tag is named after, if the list gives none. */
  readonly branchVersion?: string | undefined;
  /** How often a server looks for changes (ms); null: only at its start. */
  readonly everyMs: number | null;
  /** Where the secret of its webhook is; null: it has none. */
  readonly hookSecret: string | null;
}

/** True for a source that is a place of this machine. */
const isPath = ({ address }: AnySource): boolean => !/^(?:[a-z][a-z\d+.-]+:\/\/|[^/\\]+@)/i.test(address);

/** The version in the name of a branch or a tag: `2.1` of `v2.1` and of `release/2.1`; undefined for a name such as `main`. */
function versionOfBranch(source: AnySource): string | undefined {
  const name = 'branch' in source ? source.branch?.split('/').at(-1) : undefined;
  return name !== undefined && isSurelyVersion(name) ? plainVersion(name) : undefined;
}

/** Git's own name for the branch that is taken without a name. */
const DEFAULT_BRANCH = 'HEAD';

/**
 * Branches without a release in their name, such as `main`, are unreleased versions beside a release of the same repository.
 * Alone, they are all that there is, and no version.
 */
export function withBranchVersions(listed: readonly ListedSource[]): readonly ListedSource[] {
  const released = new Set(
    listed.flatMap(({ source, branchVersion, version }) =>
      (version ?? branchVersion) === undefined ? [] : [source.address],
    ),
  );
  return listed.map((one) => {
    const { source, version } = one;
    if (source.kind !== 'git' || !released.has(source.address)) return one;
    const branch = ('branch' in source ? source.branch?.split('/').at(-1) : undefined) ?? DEFAULT_BRANCH;
    if (version !== undefined || one.branchVersion !== undefined || !isUnreleasedName(branch)) return one;
    return { ...one, branchVersion: branch };
  });
}

/** A source with the defaults of a list. */
export function listedSource(source: AnySource, declared: Partial<DeclaredSource> = {}): ListedSource {
  const { every, hook_secret: hookSecret = null, include, exclude, version, allow } = declared;
  return {
    source,
    docTag: declared.doc_tag ?? source.name,
    repository: declared.repository ?? (isPath(source) ? source.name : shownAddress(source)),
    isTrusted: declared.trust ?? isPath(source),
    ...{ include, exclude, version, allow, hookSecret },
    branchVersion: version === undefined ? versionOfBranch(source) : undefined,
    everyMs: every === undefined ? null : intervalMs(every),
  };
}

/** True for the folder of the list itself. Its documents are indexed anyway, unless `include` excludes them. */
export const isListFolder = ({ kind, address }: AnySource, folder: string): boolean =>
  kind === 'folder' && resolve(address) === resolve(folder);

/** The options of an address that a list has. @param base  the folder of the list */
const optionsIn = (declared: DeclaredSource, base: string): AddressOptions => ({
  ...{ name: declared.name, kind: declared.kind, branch: declared.branch, path: declared.path },
  ...{ secret: declared.secret, allowedHosts: declared.allowed_hosts, base },
});

/** The sources that the manifest of a folder lists; empty without a manifest. @throws ManifestFault */
export async function readSourceList(folder: string): Promise<readonly ListedSource[]> {
  const file = join(folder, MANIFEST_NAME);
  if (!existsSync(file)) return [];
  const { manifest, source: written } = openManifest(await readManifestText(file), file);
  const found: ListedSource[] = [];
  for (const [at, declared] of (manifest.sources ?? []).entries()) {
    const fault = (key: string, problem: string): ManifestFault =>
      new ManifestFault(
        file,
        written.lineAt(offsetOf(written.document, ['sources', at, key])),
        `sources.${at}.${key}: ${problem}`,
      );
    const source = readDeclared(declared, folder, (problem) => fault('address', problem));
    if (isListFolder(source, folder))
      throw fault('address', 'it is the folder of the list, whose documents need no entry; see `include`');
    if (found.some((other) => other.source.name === source.name))
      throw fault(declared.name === undefined ? 'address' : 'name', `two sources are named "${source.name}"`);
    found.push(listedSource(source, declared));
  }
  return withBranchVersions(found);
}

function readDeclared(
  declared: DeclaredSource,
  folder: string,
  fault: (problem: string) => ManifestFault,
): AnySource {
  try {
    return readAddress(declared.address, optionsIn(declared, folder));
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    throw fault(error.message.replace(/\.$/, ''));
  }
}
