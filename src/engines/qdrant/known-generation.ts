import { type CorpusDeclaration, NOTHING_DECLARED } from '../../core/corpus-declaration.js';
import type { CorpusFacts } from '../../core/corpus-facts.js';
import type { Embedder, EmbeddingSpace } from '../../core/ports/embedder.port.js';
import type { KnownTerm, NearbyTerms } from '../../kb/search/nearest-term.js';
import { rowsByKey } from '../../sqlite/group-rows.js';
import { readBlobs } from './blobs.js';
import type { View } from './live-collection.js';
import type { QdrantStamp } from './stamp.js';

/** Packs terms and their section counts, one per line; terms contain only letters and digits. */
export function packVocabulary(terms: Iterable<readonly [string, number]>): Buffer {
  const lines: string[] = [];
  for (const [term, sections] of terms) lines.push(`${term}\t${sections}`);
  return Buffer.from(lines.join('\n'));
}

const KEY_LETTERS = 2;

/** The terms of an index, each with the number of sections that contain it. */
export class Vocabulary {
  private readonly sections = new Map<string, number>();
  /** Terms by their first two letters; built for the first unknown word. */
  private byStart: Map<string, string[]> | null = null;

  constructor(packed: Buffer) {
    for (const line of packed.toString().split('\n')) {
      const [term = '', sections = ''] = line.split('\t');
      if (term !== '') this.sections.set(term, Number(sections));
    }
  }

  /** Number of sections that contain a term. */
  sectionsWith(term: string): number {
    return this.sections.get(term) ?? 0;
  }

  /** Terms with a given start, of two letters or more, and length. */
  near({ start, shortest, longest }: NearbyTerms): KnownTerm[] {
    this.byStart ??= rowsByKey(this.sections.keys(), (term) => term.slice(0, KEY_LETTERS));
    const known = this.byStart.get(start.slice(0, KEY_LETTERS)) ?? [];
    return known
      .filter((term) => term.startsWith(start) && term.length >= shortest && term.length <= longest)
      .map((term) => ({ term, sections: this.sectionsWith(term) }));
  }
}

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

async function load(view: View, embedder: Embedder): Promise<KnownGeneration> {
  const stamp = await view.stamp();
  const { vocabulary, acronyms, declaration, space } = stamp.blobs;
  const blobs = await readBlobs(view, [vocabulary, acronyms, declaration, space]);
  const [terms = null, shorts = null, declared = null, packedSpace] = blobs;
  return {
    stamp,
    vocabulary: new Vocabulary(terms ?? Buffer.alloc(0)),
    acronyms: toAcronyms(shorts),
    // Safe because the mirror has written this JSON, and the identity of the index was checked.
    declaration: declared ? (JSON.parse(declared.toString()) as CorpusDeclaration) : NOTHING_DECLARED,
    space: packedSpace ? embedder.unpack(packedSpace) : null,
    corpora: new Map(),
  };
}

/** Caches the data of the current generation for all questions. */
export class GenerationMemo {
  private known: KnownGeneration | null = null;
  private loading: Promise<KnownGeneration> | null = null;

  constructor(private readonly embedder: Embedder) {}

  /** The cached generation; null before the first question. */
  get generation(): string | null {
    return this.known?.stamp.generation ?? null;
  }

  /** The data of a view's generation: the one it has seen or, before its first answer, the one it expects. */
  async of(view: View): Promise<KnownGeneration> {
    if (this.known && view.goesBy(this.known.stamp.generation)) return this.known;
    // After a publish, one question reads the data for all concurrent ones.
    this.loading ??= load(view, this.embedder).finally(() => (this.loading = null));
    const loaded = await this.loading;
    this.known = loaded;
    view.see(loaded.stamp);
    return loaded;
  }
}
