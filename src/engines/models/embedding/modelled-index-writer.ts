import { createHash } from 'node:crypto';
import { IndexWriter } from '../../../core/ports/index-writer.port.js';
import type {
  IndexSettings,
  OnStep,
  PublishReport,
  WriterState,
} from '../../../core/ports/index-writer.port.js';
import type { IndexedDocument } from '../../../core/indexed-document.js';
import { headedText } from '../headed-text.js';
import type { TextModel } from '../../../core/ports/text-model.port.js';
import { packVector } from '../latent/packed-vector.js';
import type { VectorCache } from './vector-cache.js';

/** Vectors that are asked for before they are kept: what a failing model costs at most. */
const KEPT_TOGETHER = 64;

/** What an index writer with a model is made of. */
export interface ModelledWriterParts {
  readonly inner: IndexWriter;
  readonly model: TextModel;
  readonly cache: VectorCache;
  /** Told how many vectors the run has asked the model for, and how many it took from the cache. */
  readonly onVectors: (asked: number, cached: number) => void;
}

/**
 * Stands round an index writer and gives each section its vector. A model that fails fails the run, and what it gave is
 * kept for the next one.
 */
export class ModelledIndexWriter extends IndexWriter {
  private asked = 0;
  private cached = 0;

  constructor(private readonly parts: ModelledWriterParts) {
    super();
  }

  /** @throws also BackendUnavailableError, DeadlineExceededError `embedder`: before anything is read */
  async begin(settings: IndexSettings, rebuild: boolean): Promise<WriterState> {
    // Also tells the dimensions, which the index is stamped with.
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

  publish(present: ReadonlyMap<string, string>, onStep?: OnStep): Promise<PublishReport> {
    return this.parts.inner.publish(present, onStep);
  }

  async close(): Promise<void> {
    this.parts.cache.close();
    await this.parts.model.close();
    await this.parts.inner.close();
  }

  private async vectorsOf(texts: readonly string[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const { name, dimensions } = this.parts.model.profile;
    const keyOf = (text: string): string =>
      createHash('sha256')
        .update(JSON.stringify([name, dimensions, text]))
        .digest('base64url');
    const keys = new Map(texts.map((text) => [text, keyOf(text)]));
    const known = this.parts.cache.read([...keys.values()]);
    const vectors = new Map<string, Uint8Array>();
    for (const [text, key] of keys) {
      const packed = known.get(key);
      if (packed) vectors.set(text, packed);
    }
    this.tell(0, vectors.size);
    const missing = [...keys.keys()].filter((text) => !vectors.has(text));
    for (let start = 0; start < missing.length; start += KEPT_TOGETHER) {
      const batch = missing.slice(start, start + KEPT_TOGETHER);
      for (const [text, packed] of await this.ask(batch, keys)) vectors.set(text, packed);
    }
    return vectors;
  }

  private async ask(
    texts: readonly string[],
    keys: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const made = (await this.parts.model.embed(texts, 'section')).map(packVector);
    const byText = new Map(texts.map((text, i) => [text, made[i] ?? new Uint8Array()]));
    this.parts.cache.write(new Map([...byText].map(([text, packed]) => [keys.get(text) ?? '', packed])));
    this.tell(texts.length, 0);
    return byText;
  }

  private tell(asked: number, cached: number): void {
    this.asked += asked;
    this.cached += cached;
    this.parts.onVectors(this.asked, this.cached);
  }
}
