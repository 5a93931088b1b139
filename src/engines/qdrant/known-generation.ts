import { type CorpusDeclaration, NOTHING_DECLARED } from '../../core/corpus-declaration.js';
import type { CorpusFacts } from '../../core/corpus-facts.js';
import type { Embedder, EmbeddingSpace } from '../../core/ports/embedder.port.js';
import { readBlobs } from './blobs.js';
import type { View } from './live-collection.js';
import type { BlobStamp, QdrantStamp, ReadStamp } from './stamp.js';
import { Terms, Vocabulary } from './vocabulary.js';

/** The cached data of one generation. */
export interface KnownGeneration {
  readonly stamp: QdrantStamp;
  readonly vocabulary: Vocabulary;
  /** Acronyms whose long form is in at least one section. */
  readonly acronyms: ReadonlySet<string>;
  readonly declaration: CorpusDeclaration;
  /** Null if the index has no vectors, or if a model makes them. */
  readonly space: EmbeddingSpace | null;
  /** Key: scope. */
  readonly corpora: Map<string, CorpusFacts>;
}

function toAcronyms(packed: Buffer | null): ReadonlySet<string> {
  const shorts: unknown = packed === null ? [] : JSON.parse(packed.toString());
  return new Set(Array.isArray(shorts) ? shorts.map(String) : []);
}

/** Loads a generation; what is the same as in the one before is neither read nor parsed again. */
async function load(
  view: View,
  embedder: Embedder,
  before: KnownGeneration | null,
): Promise<KnownGeneration> {
  const stamp = await view.stamp();
  const { vocabulary, changes, acronyms, declaration, space } = stamp.blobs;
  const had = before?.stamp.blobs;
  const isSame = (one?: BlobStamp, other?: BlobStamp): boolean => one?.digest === other?.digest;
  const base = before && isSame(vocabulary, had?.vocabulary) ? before.vocabulary.base : null;
  const oldSpace = before && isSame(space, had?.space) ? before.space : null;
  const [terms, changed, shorts = null, declared = null, packedSpace] = await readBlobs(view, [
    base ? undefined : vocabulary,
    changes,
    acronyms,
    declaration,
    oldSpace ? undefined : space,
  ]);
  return {
    stamp,
    vocabulary: new Vocabulary(base ?? new Terms(terms ?? Buffer.alloc(0)), changed ?? undefined),
    acronyms: toAcronyms(shorts),
    // Safe because the mirror has written this JSON, and the identity of the index was checked.
    declaration: declared ? (JSON.parse(declared.toString()) as CorpusDeclaration) : NOTHING_DECLARED,
    space: oldSpace ?? (packedSpace ? embedder.unpack(packedSpace) : null),
    corpora: new Map(),
  };
}

/** Caches the data of the current generation for all questions. */
export class GenerationMemo {
  private known: KnownGeneration | null = null;
  private loading: Promise<KnownGeneration> | null = null;
  private last: ReadStamp | null = null;

  constructor(private readonly embedder: Embedder) {}

  /** The generation that was read last; null before the first question. */
  get generation(): string | null {
    return this.last?.stamp.generation ?? null;
  }

  /** The stamp of a view's generation; lists of groups are read only when they have changed. */
  async stampOf(view: View): Promise<ReadStamp> {
    const { last } = this;
    if (last && view.goesBy(last.stamp.generation)) return last;
    const stamp = await view.stamp();
    const { groups } = stamp.blobs;
    if (!groups) this.last = { stamp };
    else if (last?.stamp.blobs.groups?.digest === groups.digest) this.last = { ...last, stamp };
    else {
      const [packed] = await readBlobs(view, [groups]);
      // Safe because the mirror has written this JSON.
      this.last = { stamp, groups: JSON.parse(String(packed)) as string[] };
    }
    return this.last;
  }

  /** The data of a view's generation: the one it has seen or, before its first answer, the one it expects. */
  async of(view: View): Promise<KnownGeneration> {
    if (this.known && view.goesBy(this.known.stamp.generation)) return this.known;
    // After a publish, one question reads the data for all concurrent ones.
    this.loading ??= load(view, this.embedder, this.known).finally(() => (this.loading = null));
    const loaded = await this.loading;
    this.known = loaded;
    view.see(loaded.stamp);
    return loaded;
  }
}
