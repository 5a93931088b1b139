import { canonicalJson } from '../../../text/canonical-json.js';
import type { ManifestDiff, ManifestEntry } from './manifest.schemas.js';

export type EntryChange = ManifestDiff['changes'][number];

const mapOf = (entries: readonly ManifestEntry[]) => new Map(entries.map((entry) => [entry.path, entry]));

const isSame = (before: ManifestEntry, after: ManifestEntry): boolean =>
  before.artifact_sha256 === after.artifact_sha256 &&
  canonicalJson(before.metadata ?? []) === canonicalJson(after.metadata ?? []);

function changeOf(before: ManifestEntry | undefined, after: ManifestEntry | undefined): EntryChange | null {
  const path = (after ?? before)?.path;
  if (path === undefined) return null;
  if (before && after && isSame(before, after)) return null;
  return {
    path,
    change: before && after ? 'changed' : after ? 'added' : 'removed',
    old_sha256: before?.artifact_sha256 ?? null,
    new_sha256: after?.artifact_sha256 ?? null,
  };
}

/** What makes the new entries of the old ones, by path. */
export function diffManifests(
  before: readonly ManifestEntry[],
  after: readonly ManifestEntry[],
): EntryChange[] {
  const [old, now] = [mapOf(before), mapOf(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
  return paths.flatMap((path) => changeOf(old.get(path), now.get(path)) ?? []);
}
