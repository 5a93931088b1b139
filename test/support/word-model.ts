import { BackendUnavailableError } from '../../src/core/errors.js';
import type { EmbedderProfile } from '../../src/core/ports/embedder.port.js';
import { Reranker } from '../../src/core/ports/reranker.port.js';
import { TextModel, type TextRole } from '../../src/core/ports/text-model.port.js';
import { unitVector } from '../../src/engines/models/embedding/checked-text-model.js';
import { likenessOf, SERVER_DIMENSIONS, vectorFor } from './model-server.js';

/** The error of an unavailable model. */
export const modelDown = (reason: 'embedder' | 'reranker'): BackendUnavailableError =>
  new BackendUnavailableError('The model is down.', { reason, hint: 'Call again in a moment.' });

/** A model based on words and a few given synonyms. */
export class WordModel extends TextModel {
  readonly profile: EmbedderProfile;
  readonly asked: { readonly texts: readonly string[]; readonly role: TextRole }[] = [];
  isDown = false;
  /** Number of texts after which it fails. */
  failsAfter = Infinity;
  isClosed = false;

  constructor(
    private readonly synonyms: Readonly<Record<string, string>> = {},
    profile: Partial<EmbedderProfile> = {},
  ) {
    super();
    this.profile = { name: 'words', dimensions: SERVER_DIMENSIONS, weight: 1, recalls: true, ...profile };
  }

  async embed(texts: readonly string[], role: TextRole): Promise<readonly Float32Array[]> {
    this.asked.push({ texts, role });
    if (this.isDown || this.textsAsked() > this.failsAfter) throw modelDown('embedder');
    return texts.map(
      (text) => unitVector(vectorFor(this.read(text), this.profile.dimensions)) ?? new Float32Array(),
    );
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }

  textsAsked(): number {
    return this.asked.reduce((sum, { texts }) => sum + texts.length, 0);
  }

  private read(text: string): string {
    return text.toLowerCase().replaceAll(/\p{L}+/gu, (word) => this.synonyms[word] ?? word);
  }
}

/** A reranker that prefers texts with the words of the question, or with given words. */
export class WordReranker extends Reranker {
  readonly asked: { readonly question: string; readonly texts: readonly string[] }[] = [];
  isDown = false;
  isClosed = false;

  constructor(private readonly liked: string | null = null) {
    super();
  }

  async score(question: string, texts: readonly string[]): Promise<readonly number[]> {
    this.asked.push({ question, texts });
    if (this.isDown) throw modelDown('reranker');
    const { liked } = this;
    return texts.map((text) => (liked === null ? likenessOf(question, text) : Number(text.includes(liked))));
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}
