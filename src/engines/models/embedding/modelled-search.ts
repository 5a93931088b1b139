import type { SearchAnswer, SectionIndex, SectionQuery } from '../../../core/ports/section-index.port.js';
import type { TextModel } from '../../../core/ports/text-model.port.js';
import { markDegraded, orNullIfLost } from '../decorated.js';

/** Size of the cache of question vectors (about 1 MB): paging, parts and retries repeat a question. */
const MAX_QUESTIONS = 256;

/** Searches a section index with questions that a model embeds. If it is unavailable, answers are marked degraded. */
export class ModelledSearch implements Pick<SectionIndex, 'search' | 'close'> {
  /** Least recently used first. */
  private readonly known = new Map<string, Float32Array>();
  private wasUsed = false;

  constructor(
    private readonly inner: SectionIndex,
    private readonly model: TextModel,
    /** False while the index has no vectors of the model, which then is not loaded. */
    private readonly isUsed: () => boolean = () => true,
  ) {}

  async search(query: SectionQuery): Promise<SearchAnswer> {
    if (query.rankedBy === 'lexical' || query.text.trim() === '') return this.inner.search(query);
    this.wasUsed ||= this.isUsed();
    if (!this.wasUsed) return this.inner.search(query);
    const vector = await this.vectorOf(query.text);
    if (vector) return this.inner.search({ ...query, vector });
    return markDegraded(await this.inner.search(query), 'vector');
  }

  async close(): Promise<void> {
    await this.inner.close();
    await this.model.close();
  }

  /** Null if the model can't answer. */
  private async vectorOf(text: string): Promise<Float32Array | null> {
    const known = this.known.get(text);
    const vectors = known ? [known] : await orNullIfLost(this.model.embed([text], 'question'));
    const vector = vectors?.[0] ?? null;
    if (vector) this.remember(text, vector);
    return vector;
  }

  private remember(text: string, vector: Float32Array): void {
    this.known.delete(text);
    this.known.set(text, vector);
    const [oldest] = this.known.keys();
    if (this.known.size > MAX_QUESTIONS && oldest !== undefined) this.known.delete(oldest);
  }
}
