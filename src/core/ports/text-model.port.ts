import type { EmbedderProfile } from './embedder.port.js';

/** What a text is to a model: many models want other words before a question than before a text. */
export type TextRole = 'question' | 'section';

/** A model that makes vectors of texts. */
export abstract class TextModel {
  /** Its dimensions are 0 until the first answer, where only that tells them. */
  abstract readonly profile: EmbedderProfile;
  /**
   * Vectors of texts, in their order, each of length 1.
   * @param texts  at most 100,000; sent in batches
   * @throws BackendUnavailableError, DeadlineExceededError `embedder`
   */
  abstract embed(texts: readonly string[], role: TextRole): Promise<readonly Float32Array[]>;
  abstract close(): Promise<void>;
}
