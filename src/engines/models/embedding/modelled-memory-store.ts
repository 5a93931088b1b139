import { callSignal } from '../../../core/call-signal.js';
import { BackendUnavailableError, isBackendLost } from '../../../core/errors.js';
import { type MemoryAnswer, type MemoryQuery, MemoryStore } from '../../../core/ports/memory-store.port.js';
import type { TextModel } from '../../../core/ports/text-model.port.js';

/** Decorates a memory store: a model embeds the questions. If the model is unavailable, retrieval fails. */
export class ModelledMemoryStore extends MemoryStore {
  /** @param provider  the value of SURR_EMBED_PROVIDER */
  constructor(
    private readonly inner: MemoryStore,
    private readonly provider: string,
    private readonly model: TextModel,
  ) {
    super();
  }

  async candidates(query: MemoryQuery): Promise<MemoryAnswer> {
    const vector = await this.vectorOf(query.text);
    const { name } = this.model.profile;
    return this.inner.candidates({ ...query, embedded: { provider: this.provider, model: name, vector } });
  }

  async close(): Promise<void> {
    await this.inner.close();
    await this.model.close();
  }

  private async vectorOf(text: string): Promise<Float32Array> {
    try {
      const [vector] = await this.model.embed([text], 'question');
      if (vector) return vector;
    } catch (error) {
      // An exceeded call deadline is not a failure of the model.
      if (!isBackendLost(error) || callSignal()?.aborted) throw error;
      throw unavailable(error instanceof Error ? error.message : '', error);
    }
    throw unavailable('The model returned no vector.', undefined);
  }
}

function unavailable(message: string, cause: unknown): BackendUnavailableError {
  return new BackendUnavailableError(message, {
    reason: 'embedder_unavailable',
    hint: 'Check that the model server is running and that SURR_EMBED_MODEL and SURR_EMBED_DIM match the model.',
    cause,
  });
}
