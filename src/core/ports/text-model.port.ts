import type { EmbedderProfile } from './embedder.port.js';

/** The role of a text; many models expect different prefixes for questions and for texts. */
export type TextRole = 'question' | 'section';

export abstract class TextModel {
  /** The dimensions may be 0 until the first response. */
  abstract readonly profile: EmbedderProfile;
  /**
   * Embeds texts. The vectors have length 1 and are in the order of the texts.
   * @param texts  at most 100,000; sent in batches
   * @throws BackendUnavailableError, DeadlineExceededError `embedder`
   */
  abstract embed(texts: readonly string[], role: TextRole): Promise<readonly Float32Array[]>;
  abstract close(): Promise<void>;
}
