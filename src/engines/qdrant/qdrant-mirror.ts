import { randomUUID } from 'node:crypto';
import { InvalidArgumentError } from '../../core/errors.js';
import {
  type BuiltDocument,
  type BuiltIndex,
  IndexMirror,
  type MirrorProgress,
  NOTHING_TO_SHOW,
  type PublishedRun,
  type ShowFilled,
} from '../../ingest/built-index.js';
import { blobIds, packBlob } from './blobs.js';
import { aliasOf, collectionOf, SLOTS } from './names.js';
import { digestOf, documentPoint, type Point, type PointMaking, sectionPoints } from './points.js';
import { type QdrantConnection, statusOf } from './qdrant-connection.js';
import { roundedAverage } from './search/sparse-terms.js';
import { matches, matchesAny } from './search/visible-points.js';
import { type BlobName, identityOf, type QdrantStamp, stampPoint } from './stamp.js';
import { packTermChanges, packVocabulary } from './vocabulary.js';
import { WritableCollection } from './writing/writable-collection.js';

/** Documents replaced together; one request removes their old points. */
const GROUP = 100;
/** Limit of sections replaced together, to save memory. */
const GROUP_SECTIONS = 1_000;
/** Paths per delete request. */
const MAX_PATHS = 1_000;

/** How a collection is filled. */
interface FillPlan {
  readonly making: PointMaking;
  readonly paths: readonly string[] | null;
  readonly onDone: (sections: number) => void;
}

interface Changed {
  readonly document: BuiltDocument;
  readonly digest: string;
}

/** Replaces documents. They get their digest last, so if a run is killed, the next one writes them again. */
async function replace(
  collection: WritableCollection,
  changed: readonly Changed[],
  making: PointMaking,
): Promise<void> {
  const paths = changed.map(({ document }) => document.facts.path);
  await collection.remove({ must: [matchesAny('path', paths)] });
  await collection.put(changed.map(({ document }) => documentPoint(document, '')));
  const sections = function* (): Generator<Point> {
    for (const { document } of changed) yield* sectionPoints(document, making);
  };
  await collection.put(sections());
  await collection.put(changed.map(({ document, digest }) => documentPoint(document, digest)));
}

/** Writes the documents that differ. @param paths  those that may differ; null for all */
async function fillDocuments(
  collection: WritableCollection,
  built: BuiltIndex,
  { making, paths, onDone }: FillPlan,
): Promise<void> {
  const had = await collection.digests(paths);
  const present = new Set<string>();
  let [group, sections, done]: [Changed[], number, number] = [[], 0, 0];
  const flush = async (): Promise<void> => {
    if (group.length > 0) await replace(collection, group, making);
    [group, sections] = [[], 0];
    onDone(done);
  };
  for (const document of built.documents(paths ?? undefined)) {
    const digest = digestOf(document, making);
    present.add(document.facts.path);
    done += document.sections.length;
    if (had.get(document.facts.path) === digest) continue;
    group.push({ document, digest });
    sections += document.sections.length;
    if (group.length >= GROUP || sections >= GROUP_SECTIONS) await flush();
  }
  await flush();
  const gone = [...had.keys()].filter((path) => !present.has(path));
  for (let from = 0; from < gone.length; from += MAX_PATHS)
    await collection.remove({ must: [matchesAny('path', gone.slice(from, from + MAX_PATHS))] });
  onDone(built.sectionCount);
}

/** Share of the vocabulary that its changes may take; then they are merged. */
const MAX_CHANGES = 0.1;

type Blobs = Partial<Record<BlobName, ReturnType<typeof packBlob>>>;

/** A collection whose blobs can be read. */
interface Stored {
  readonly collection: WritableCollection;
  readonly blobs: QdrantStamp['blobs'];
}

/** Reads the terms that servers have parsed, which both collections share; null to begin anew. */
async function readBase(own: Stored, live: Stored | null): Promise<Buffer | null> {
  const [kept, base] = [own.blobs.vocabulary, live?.blobs.vocabulary];
  const terms = kept ? await own.collection.blob(kept) : null;
  // Damaged parts would keep their ids.
  if (kept && !terms) await own.collection.remove({ must: [matches('digest', kept.digest)] });
  if (!live || !base) return null;
  return terms && kept?.digest === base.digest ? terms : live.collection.blob(base);
}

/** Packs the terms: what has changed in the live ones, if that is little. */
function packTerms(built: BuiltIndex, base: Buffer | null): Blobs {
  if (base) {
    const changes = packTermChanges(base, built.vocabulary());
    if (changes.length <= base.length * MAX_CHANGES)
      return { vocabulary: packBlob(base), changes: packBlob(changes) };
  }
  return { vocabulary: packBlob(packVocabulary(built.vocabulary())) };
}

/** Packs what does not depend on single documents. */
function packFacts({ acronyms, declaration, space, stamp: { groups } }: BuiltIndex): Blobs {
  return {
    acronyms: packBlob(Buffer.from(JSON.stringify(acronyms()))),
    declaration: packBlob(Buffer.from(JSON.stringify(declaration))),
    ...(space ? { space: packBlob(space) } : {}),
    ...(groups ? { groups: packBlob(Buffer.from(JSON.stringify(groups))) } : {}),
  };
}

/** Writes the blobs of which the collection does not have every part. */
async function fillBlobs(collection: WritableCollection, packed: Blobs): Promise<QdrantStamp['blobs']> {
  const blobs = Object.entries(packed);
  const stored = await collection.existing(blobs.flatMap(([, { stamp }]) => blobIds(stamp)));
  for (const [, { points }] of blobs)
    if (points.some(({ id }) => !stored.has(id))) await collection.put(points);
  const digests = blobs.map(([, { stamp }]) => stamp.digest);
  await collection.remove({ must: [matches('kind', 'blob')], must_not: [matchesAny('digest', digests)] });
  return Object.fromEntries(blobs.map(([name, { stamp }]) => [name, stamp]));
}

/** False if points of a whole collection are lost: the digest of a document does not tell that its sections are. */
async function hasAllPoints(collection: WritableCollection, had: QdrantStamp): Promise<boolean> {
  return !had.isWhole || had.points === (await collection.countPoints());
}

/** The documents that may differ from those of a whole collection; null if all may, or many. */
function changedPaths(built: BuiltIndex, had: QdrantStamp, { space, declaration }: Blobs) {
  const isSame =
    roundedAverage(had.averageLength) === roundedAverage(built.averageLength) &&
    had.blobs.space?.digest === space?.stamp.digest &&
    // It says which documents are offered as resources.
    had.blobs.declaration?.digest === declaration?.stamp.digest;
  const paths = isSame ? built.graph.changedSince(had)?.documents : undefined;
  return paths && paths.length <= MAX_PATHS ? paths : null;
}

interface Writing {
  /** Null if nothing is stored, or if another version of Pith stored it. */
  readonly live: Stored | null;
  readonly onProgress: (progress: MirrorProgress) => void;
}

/** Fills the collection that is not live, then points the alias to it. */
export class QdrantMirror extends IndexMirror {
  readonly engine = 'qdrant';

  constructor(private readonly connection: QdrantConnection) {
    super();
  }

  /** Checks that the key may write: deletes an alias that does not exist, which changes nothing. */
  async begin(): Promise<void> {
    const delete_alias = { alias_name: `pith_check_${randomUUID()}` };
    try {
      await this.connection.write((api, init) => api.updateAliases({ actions: [{ delete_alias }] }, init));
    } catch (error) {
      // Some servers report the missing alias, others do not.
      if (statusOf(error) !== 404) throw error;
    }
  }

  async fill(built: BuiltIndex, onProgress: (progress: MirrorProgress) => void): Promise<ShowFilled> {
    const { projectId, environment } = built.stamp;
    const alias = aliasOf(projectId, environment);
    const named = await this.namedBy(alias);
    const live = SLOTS.find((slot) => collectionOf(alias, slot) === named);
    const identity = identityOf(built.profile);
    const shown = live ? new WritableCollection(this.connection, alias, live) : null;
    const stamp = await shown?.stamp();
    if (stamp) refuseOther(stamp, built);
    const isReadable = stamp?.isWhole && stamp.identity === identity;
    if (isReadable && isSameRun(stamp, built.stamp)) return NOTHING_TO_SHOW;
    const slot = live === 'a' ? 'b' : 'a';
    const filled = new WritableCollection(this.connection, alias, slot);
    const base = shown && isReadable ? { collection: shown, blobs: stamp.blobs } : null;
    await this.write(filled, built, { live: base, onProgress });
    return () => this.show(alias, filled);
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
    { live, onProgress }: Writing,
  ): Promise<void> {
    const { profile, sectionCount: total } = built;
    const { groups: _, ...of } = built.stamp;
    const identity = identityOf(profile);
    const run = randomUUID();
    const had = await collection.claim(run);
    // A collection of another version, or one whose setup did not finish, can't be reused.
    const isKept = had?.identity === identity && (await hasAllPoints(collection, had));
    if (!isKept) await collection.make(profile);
    const stamp: QdrantStamp = {
      ...of,
      identity,
      run,
      isWhole: false,
      sectionCount: total,
      averageLength: 0,
      bytes: 0,
      points: 0,
      blobs: {},
    };
    await collection.begin(stamp);
    const { averageLength } = built;
    const making = { averageLength: roundedAverage(averageLength), dimensions: profile.dimensions };
    // A run that was killed may have written any part.
    const whole = isKept && had.isWhole ? had : null;
    const facts = packFacts(built);
    await fillDocuments(collection, built, {
      making,
      paths: whole && changedPaths(built, whole, facts),
      onDone: (done) => onProgress({ engine: this.engine, done, total }),
    });
    const base = await readBase({ collection, blobs: whole?.blobs ?? {} }, live);
    const blobs = await fillBlobs(collection, { ...packTerms(built, base), ...facts });
    const points = await collection.countPoints();
    const bytes = built.textBytes() + total * making.dimensions * Float32Array.BYTES_PER_ELEMENT;
    await collection.put([stampPoint({ ...stamp, averageLength, bytes, points, blobs, isWhole: true })]);
  }

  /** One action that overwrites the alias: a server that is killed between two actions would keep only the first. */
  private async show(alias: string, filled: WritableCollection): Promise<void> {
    await filled.checkRun();
    const create_alias = { alias_name: alias, collection_name: filled.name };
    await this.connection.write((api, init) => api.updateAliases({ actions: [{ create_alias }] }, init));
  }
}

/** An index that was restored from a backup repeats the numbers of generations, so the times are compared too. */
function isSameRun(one: PublishedRun, other: PublishedRun): boolean {
  return one.generation === other.generation && one.indexedAt === other.indexedAt;
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
