import { Reranker } from '../../../core/ports/reranker.port.js';
import type { Backend } from '../../backend.js';
import { askModel, type ServedModel } from '../http/ask-model.js';
import { UnreadableAnswer } from '../http/post-json.js';
import type { RerankDialect, ScoredText } from './rerank-dialects.js';

/** Enough for a hundred scores, even if the server returns the texts too. */
const MAX_ANSWER_BYTES = 2_000_000;

/** The scores in the order of the texts, clamped to 0 to 1. */
function inOrder(ranked: readonly ScoredText[], count: number): number[] {
  const scores = new Map(ranked.map(({ index, score }) => [index, score]));
  const ordered = Array.from({ length: count }, (_, i) => scores.get(i));
  if (ranked.length !== count || ordered.includes(undefined))
    throw new UnreadableAnswer(`the reranker returned ${ranked.length} scores for ${count} texts`);
  return ordered.map((score = 0) => Math.max(0, Math.min(1, score)));
}

/** A cross-encoder behind an HTTP endpoint. */
export class HttpReranker extends Reranker {
  readonly name: string;

  constructor(
    private readonly dialect: RerankDialect,
    private readonly settings: ServedModel,
    private readonly backend: Backend,
  ) {
    super();
    this.name = settings.model;
  }

  async score(question: string, texts: readonly string[]): Promise<readonly number[]> {
    const { batch } = this.dialect;
    const starts = Array.from({ length: Math.ceil(texts.length / batch) }, (_, i) => i * batch);
    const scores = await Promise.all(
      starts.map((start) => this.ask(question, texts.slice(start, start + batch))),
    );
    return scores.flat();
  }

  async close(): Promise<void> {
    // fetch manages its connections; they don't keep the process alive.
  }

  private ask(question: string, texts: readonly string[]): Promise<number[]> {
    const { dialect, settings, backend } = this;
    return askModel(
      backend,
      { reason: 'reranker', ...dialect, ...settings },
      {
        body: dialect.body(settings.model, question, texts),
        maxBytes: MAX_ANSWER_BYTES,
        read: (answer) => inOrder(dialect.read(answer), texts.length),
      },
    );
  }
}
