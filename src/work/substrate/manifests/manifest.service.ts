import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServerSecret } from '../../../config/server-secret.js';
import type { Call } from '../../../core/call.js';
import { InvalidArgumentError } from '../../../core/errors.js';
import { type Reply, wholeReply } from '../../../core/reply.js';
import { canonicalJson } from '../../../text/canonical-json.js';
import { ListCursors, pageFound, pageFrom } from '../../list-pages.js';
import { spaceOf, type WorkSpace } from '../../work-space.js';
import { ArtifactStore } from '../artifacts/artifact-store.js';
import type {
  CheckoutManifestInput,
  CreateManifestInput,
  DiffManifestsInput,
  ManifestCheckout,
  ManifestDiff,
  ManifestEntry,
  ManifestHistory,
  ManifestHistoryInput,
  ManifestOutput,
} from './manifest.schemas.js';
import {
  changedEntries,
  ManifestFilesService,
  manifestJson,
  MAX_MANIFEST_BYTES,
} from './manifest-files.service.js';
import { type ManifestFacts, ManifestStore } from './manifest-store.js';

type EntryChange = ManifestDiff['changes'][number];

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

/** The changes between two lists of entries, by path. */
export function diffManifests(
  before: readonly ManifestEntry[],
  after: readonly ManifestEntry[],
): EntryChange[] {
  const [old, now] = [mapOf(before), mapOf(after)];
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
  return paths.flatMap((path) => changeOf(old.get(path), now.get(path)) ?? []);
}

const MEDIA_TYPE = 'application/vnd.pith.manifest+json';
/** Missing artifacts that a message names. */
const MAX_NAMED = 10;

const shapeOf = (facts: ManifestFacts): ManifestOutput => ({
  sha256: facts.sha256,
  parent_sha256: facts.parent,
  message: facts.message,
  entry_count: facts.entries,
  created_by: facts.createdBy,
  created_at: new Date(facts.createdAt).toISOString(),
});

/** Makes and compares manifests. */
@Injectable()
export class ManifestService {
  constructor(
    private readonly artifacts: ArtifactStore,
    private readonly manifests: ManifestStore,
    private readonly files: ManifestFilesService,
    private readonly signing: ServerSecret,
  ) {}

  /** @throws InvalidArgumentError `manifest_not_found`, `artifacts_missing` */
  async check(call: Call, { base, parent_sha256: parent, entries }: CreateManifestInput): Promise<void> {
    const space = spaceOf(call);
    for (const named of [parent, base]) if (named !== undefined) await this.files.find(space, named);
    await this.checkArtifacts(space, entries);
  }

  /** @throws as `check`, and those of `changedEntries`; BudgetExceededError `substrate_full` */
  async create(call: Call, input: CreateManifestInput): Promise<Reply<ManifestOutput>> {
    const space = spaceOf(call);
    const { base, message, parent_sha256: parent = base ?? null } = input;
    await this.check(call, input);
    const entries = changedEntries(base === undefined ? [] : await this.files.entries(space, base), input);
    const json = manifestJson(entries, { parent, message });
    const publishedBy = call.caller.principal;
    const sha256 = createHash('sha256').update(json).digest('hex');
    await this.artifacts.save(
      { space, expectedSha256: sha256, mediaType: MEDIA_TYPE, publishedBy, maxBytes: MAX_MANIFEST_BYTES },
      [json],
    );
    const facts = { sha256, parent, message, entries: entries.length, createdBy: publishedBy };
    const noted = await this.manifests.note(space, facts);
    return wholeReply(shapeOf(noted));
  }

  async checkout(call: Call, input: CheckoutManifestInput): Promise<Reply<ManifestCheckout>> {
    const space = spaceOf(call);
    const { manifest_sha256: sha256, limit } = input;
    const cursors = new ListCursors(call, ['substrate.manifest.checkout', sha256], this.signing);
    const offset = cursors.offsetOf(input.cursor);
    const manifest = shapeOf(await this.files.find(space, sha256));
    const all = await this.files.entries(space, sha256);
    return cursors.reply(pageFrom(all, offset, limit), (entries, fields) => ({
      manifest,
      entries,
      ...fields,
    }));
  }

  async diff(call: Call, input: DiffManifestsInput): Promise<Reply<ManifestDiff>> {
    const space = spaceOf(call);
    const { old_sha256: old, new_sha256: now, limit } = input;
    const cursors = new ListCursors(call, ['substrate.manifest.diff', old, now], this.signing);
    const offset = cursors.offsetOf(input.cursor);
    const all = diffManifests(await this.files.entries(space, old), await this.files.entries(space, now));
    const count = (kind: string): number => all.filter(({ change }) => change === kind).length;
    const counts = { added: count('added'), removed: count('removed'), changed: count('changed') };
    return cursors.reply(pageFrom(all, offset, limit), (changes, fields) => ({
      ...counts,
      changes,
      ...fields,
    }));
  }

  async history(call: Call, input: ManifestHistoryInput): Promise<Reply<ManifestHistory>> {
    const space = spaceOf(call);
    const { manifest_sha256: sha256, limit } = input;
    const cursors = new ListCursors(call, ['substrate.manifest.history', sha256], this.signing);
    const offset = cursors.offsetOf(input.cursor);
    await this.files.find(space, sha256);
    const chain = await this.manifests.chain(space, sha256, { offset, limit: limit + 1 });
    return cursors.reply(pageFound(chain, offset, limit), (items, fields) => ({
      manifests: items.map(shapeOf),
      ...fields,
    }));
  }

  private async checkArtifacts(space: WorkSpace, entries: readonly ManifestEntry[]): Promise<void> {
    const missing = await this.artifacts.missing(
      space,
      entries.map(({ artifact_sha256 }) => artifact_sha256),
    );
    if (missing.length === 0) return;
    throw new InvalidArgumentError(`${missing.length} of the artifacts do not exist.`, {
      reason: 'artifacts_missing',
      hint: 'Upload them with substrate.artifact.upload and call again. No manifest was made.',
      details: { missing: missing.slice(0, MAX_NAMED), count: missing.length },
    });
  }
}
