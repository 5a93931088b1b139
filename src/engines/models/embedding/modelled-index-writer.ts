import { createHash } from 'node:crypto';
import type { IndexedDocument } from '../../../core/indexed-document.js';
import type { IndexSettings, IndexWriter, WriterState } from '../../../core/ports/index-writer.port.js';
import type { TextModel } from '../../../core/ports/text-model.port.js';
import { packVector } from '../../../sqlite/latent/packed-vector.js';
import { decorated } from '../decorated.js';
import { headedText } from './model-texts.js';

/** Number of vectors that are cached together. If the model fails, at most this many are lost. */
const CACHE_BATCH = 64;

/** A cache of a model's vectors. */
export abstract class VectorCache {
  /** The cached packed vectors, by key. */
  abstract read(keys: readonly string[]): ReadonlyMap<string, Uint8Array>;
  /** Stores vectors immediately, so that they are kept if the run fails. */
  abstract write(vectors: ReadonlyMap<string, Uint8Array>): void;
  abstract close(): void;
}

/**
 * Receives the numbers of vectors so far.
 * @param requested  from the model
 * @param cached  taken from the cache
 * @param waiting  still to be requested for the documents that are being staged
 */
type OnVectors = (requested: number, cached: number, waiting: number) => void;

interface ModelledWriterParts {
  readonly inner: IndexWriter;
  readonly model: TextModel;
  readonly cache: VectorCache;
  readonly onVectors: OnVectors;
}

/** Adds a vector to each section. If the model fails, the run fails; the cache remains. */
class ModelledIndexWriter implements Pick<IndexWriter, 'begin' | 'stage' | 'close'> {
  private requested = 0;
  private cached = 0;

  constructor(private readonly parts: ModelledWriterParts) {}

  /** @throws also BackendUnavailableError, DeadlineExceededError `embedder`, before any document is read */
  async begin(settings: IndexSettings, rebuild: boolean): Promise<WriterState> {
    // Checks the model, and finds out the dimensions, which are stored in the index.
    await this.parts.model.embed(['Pith'], 'section');
    return this.parts.inner.begin(settings, rebuild);
  }

  /** @throws also BackendUnavailableError, DeadlineExceededError `embedder` */
  async stage(documents: readonly IndexedDocument[]): Promise<void> {
    const texts = documents.map(({ sections }) => sections.map(headedText));
    const vectors = await this.vectorsOf(texts.flat());
    const staged = documents.map((document, i) => ({
      ...document,
      vectors: (texts[i] ?? []).map((text) => vectors.get(text) ?? new Uint8Array()),
    }));
    await this.parts.inner.stage(staged);
  }

  async close(): Promise<void> {
    this.parts.cache.close();
    await this.parts.model.close();
    await this.parts.inner.close();
  }

  private async vectorsOf(texts: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const { name, dimensions } = this.parts.model.profile;
    const facts = (text: string): string => JSON.stringify([name, dimensions, text]);
    const keyOf = (text: string): string => createHash('sha256').update(facts(text)).digest('base64url');
    const keys = new Map(texts.map((text) => [text, keyOf(text)]));
    const known = this.parts.cache.read([...keys.values()]);
    const vectors = new Map<string, Uint8Array>();
    for (const [text, key] of keys) {
      const packed = known.get(key);
      if (packed) vectors.set(text, packed);
    }
    const missing = [...keys.keys()].filter((text) => !vectors.has(text)).sort((a, b) => a.length - b.length);
    this.report({ cached: vectors.size, waiting: missing.length });
    for (let start = 0; start < missing.length; start += CACHE_BATCH) {
      const batch = missing.slice(start, start + CACHE_BATCH);
      for (const [text, packed] of await this.embed(batch, keys)) vectors.set(text, packed);
      this.report({ requested: batch.length, waiting: missing.length - start - batch.length });
    }
    return vectors;
  }

  private async embed(
    texts: readonly string[],
    keys: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const made = (await this.parts.model.embed(texts, 'section')).map(packVector);
    const byText = new Map(texts.map((text, i) => [text, made[i] ?? new Uint8Array()]));
    this.parts.cache.write(new Map([...byText].map(([text, packed]) => [keys.get(text) ?? '', packed])));
    return byText;
  }

  private report(news: {
    readonly requested?: number;
    readonly cached?: number;
    readonly waiting: number;
  }): void {
    this.requested += news.requested ?? 0;
    this.cached += news.cached ?? 0;
    this.parts.onVectors(this.requested, this.cached, news.waiting);
  }
}

export const modelledWriter = (parts: ModelledWriterParts): IndexWriter =>
  decorated(parts.inner, new ModelledIndexWriter(parts));
