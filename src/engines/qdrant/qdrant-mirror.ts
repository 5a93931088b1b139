import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '../../core/errors.js';
import {
  type BuiltIndex,
  IndexMirror,
  type MirrorProgress,
  NOTHING_TO_SHOW,
  type ShowFilled,
} from '../../ingest/built-index.js';
import { aliasOf, collectionOf, type Slot, SLOTS } from './names.js';
import { type QdrantConnection, statusOf } from './qdrant-connection.js';
import { identityOf, type QdrantStamp, stampPoint } from './stamp.js';
import { fillCollection } from './writing/fill-collection.js';
import { WritableCollection } from './writing/writable-collection.js';

/** Fills the collection that is not live, then points the alias to it. */
export class QdrantMirror extends IndexMirror {
  readonly engine = 'qdrant';

  constructor(private readonly connection: QdrantConnection) {
    super();
  }

  /** Checks that the key may write: deletes an alias that does not exist, which changes nothing. */
  async check(): Promise<void> {
    const delete_alias = { alias_name: `pith_check_${randomUUID()}` };
    try {
      await this.connection.write((api, init) => api.updateAliases({ actions: [{ delete_alias }] }, init));
    } catch (error) {
      // Some servers report the missing alias, others do not.
      if (statusOf(error) !== 404) throw error;
    }
  }

  async fill(built: BuiltIndex, onProgress: (progress: MirrorProgress) => void): Promise<ShowFilled> {
    const { projectId, environment, generation } = built.stamp;
    const alias = aliasOf(projectId, environment);
    const named = await this.namedBy(alias);
    const live = SLOTS.find((slot) => collectionOf(alias, slot) === named);
    const identity = identityOf(built.profile);
    if (live) {
      const stamp = await new WritableCollection(this.connection, alias, live).stamp();
      if (stamp) refuseOther(stamp, built);
      if (stamp?.isWhole && stamp.generation === generation && stamp.identity === identity)
        return NOTHING_TO_SHOW;
    }
    const slot = live === 'a' ? 'b' : 'a';
    await this.write(new WritableCollection(this.connection, alias, slot), built, onProgress);
    return () => this.show(alias, slot);
  }

  async close(): Promise<void> {
    // Idle connections do not keep the process alive.
  }

  /** The collection behind the alias; null if there is no alias yet. */
  private async namedBy(alias: string): Promise<string | null> {
    const { aliases } = await this.connection.read((api, init) => api.getCollectionsAliases({}, init));
    return aliases.find(({ alias_name }) => alias_name === alias)?.collection_name ?? null;
  }

  private async write(
    collection: WritableCollection,
    built: BuiltIndex,
    onProgress: (progress: MirrorProgress) => void,
  ): Promise<void> {
    const { profile, sectionCount: total, stamp: of } = built;
    const identity = identityOf(profile);
    const had = await collection.stamp();
    // A collection of another version, or one whose setup did not finish, can't be reused.
    if (had?.identity !== identity) await collection.make(profile);
    const stamp: QdrantStamp = {
      ...of,
      identity,
      run: randomUUID(),
      isWhole: false,
      sectionCount: total,
      averageLength: 0,
      bytes: 0,
      blobs: {},
    };
    await collection.begin(stamp);
    const filled = await fillCollection(collection, built, (done) =>
      onProgress({ engine: this.engine, done, total }),
    );
    await collection.put([stampPoint({ ...stamp, ...filled, isWhole: true })]);
  }

  /** One action that overwrites the alias: a server that is killed between two actions would keep only the first. */
  private async show(alias: string, slot: Slot): Promise<void> {
    const create_alias = { alias_name: alias, collection_name: collectionOf(alias, slot) };
    await this.connection.write((api, init) => api.updateAliases({ actions: [{ create_alias }] }, init));
  }
}

/** Aliases are unique, but someone may have changed the alias to another index. */
function refuseOther({ projectId, environment }: QdrantStamp, { stamp }: BuiltIndex): void {
  if (projectId === stamp.projectId && environment === stamp.environment) return;
  throw new InvalidArgumentError(
    `Qdrant holds project "${projectId}" (${environment}), not "${stamp.projectId}" (${stamp.environment}).`,
    {
      reason: 'project_mismatch',
      hint: 'Remove the alias of the other project, or publish with another project id.',
    },
  );
}
