import type { BuiltDocument, BuiltIndex } from '../../../ingest/built-index.js';
import { packBlob } from '../blobs.js';
import { packVocabulary } from '../known-generation.js';
import { digestOf, documentPoint, type Point, type PointMaking, sectionPoints } from '../points.js';
import { roundedAverage } from '../search/sparse-terms.js';
import { matches, matchesAny } from '../search/visible-points.js';
import type { BlobName, QdrantStamp } from '../stamp.js';
import type { WritableCollection } from './writable-collection.js';

/** Documents replaced together; one request removes their old points. */
const GROUP = 100;
/** Limit of sections replaced together, to save memory. */
const GROUP_SECTIONS = 1_000;
/** Paths per delete request. */
const MAX_PATHS = 1_000;

/** The part of the stamp that is known when a collection is filled; `bytes` counts texts and vectors. */
type Filled = Pick<QdrantStamp, 'blobs' | 'averageLength' | 'bytes'>;

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

function bytesOf({ sections }: BuiltDocument, { dimensions }: PointMaking): number {
  const texts = sections.reduce((sum, { section }) => sum + Buffer.byteLength(section.text), 0);
  return texts + sections.length * dimensions * Float32Array.BYTES_PER_ELEMENT;
}

/** @returns totals over all documents, changed or not */
async function fillDocuments(
  collection: WritableCollection,
  built: BuiltIndex,
  onDone: (sections: number) => void,
): Promise<{ readonly shorts: ReadonlySet<string>; readonly bytes: number }> {
  const { averageLength, profile } = built;
  const making = { averageLength: roundedAverage(averageLength), dimensions: profile.dimensions };
  const had = await collection.digests();
  const present = new Set<string>();
  const shorts = new Set<string>();
  let [group, sections, done, bytes]: [Changed[], number, number, number] = [[], 0, 0, 0];
  const flush = async (): Promise<void> => {
    if (group.length > 0) await replace(collection, group, making);
    [group, sections] = [[], 0];
    onDone(done);
  };
  for (const document of built.documents()) {
    const digest = digestOf(document, making);
    present.add(document.facts.path);
    for (const section of document.sections) for (const { short } of section.acronyms) shorts.add(short);
    done += document.sections.length;
    bytes += bytesOf(document, making);
    if (had.get(document.facts.path) === digest) continue;
    group.push({ document, digest });
    sections += document.sections.length;
    if (group.length >= GROUP || sections >= GROUP_SECTIONS) await flush();
  }
  await flush();
  const gone = [...had.keys()].filter((path) => !present.has(path));
  for (let from = 0; from < gone.length; from += MAX_PATHS)
    await collection.remove({ must: [matchesAny('path', gone.slice(from, from + MAX_PATHS))] });
  return { shorts, bytes };
}

function packBlobs(
  built: BuiltIndex,
  shorts: ReadonlySet<string>,
): Partial<Record<BlobName, ReturnType<typeof packBlob>>> {
  const { declaration, space } = built;
  return {
    vocabulary: packBlob(packVocabulary(built.vocabulary())),
    acronyms: packBlob(Buffer.from(JSON.stringify([...shorts].sort()))),
    declaration: packBlob(Buffer.from(JSON.stringify(declaration))),
    ...(space ? { space: packBlob(space) } : {}),
  };
}

async function fillBlobs(
  collection: WritableCollection,
  built: BuiltIndex,
  shorts: ReadonlySet<string>,
): Promise<Filled['blobs']> {
  const blobs = Object.entries(packBlobs(built, shorts));
  for (const [, { points }] of blobs) await collection.put(points);
  const digests = blobs.map(([, { stamp }]) => stamp.digest);
  await collection.remove({ must: [matches('kind', 'blob')], must_not: [matchesAny('digest', digests)] });
  return Object.fromEntries(blobs.map(([name, { stamp }]) => [name, stamp]));
}

/** Updates a collection to the built index; unchanged documents are not written again. */
export async function fillCollection(
  collection: WritableCollection,
  built: BuiltIndex,
  onDone: (sections: number) => void,
): Promise<Filled> {
  const { shorts, bytes } = await fillDocuments(collection, built, onDone);
  return { averageLength: built.averageLength, bytes, blobs: await fillBlobs(collection, built, shorts) };
}
