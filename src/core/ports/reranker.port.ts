/** A model that reads a question and a text together and says how well the text answers it. */
export abstract class Reranker {
  /** Names the model, for diagnostics. */
  abstract readonly name: string;
  /**
   * A score for each text, in their order, 0 to 1, higher is better.
   * @param texts  at most 100
   * @throws BackendUnavailableError, DeadlineExceededError `reranker`
   */
  abstract score(question: string, texts: readonly string[]): Promise<readonly number[]>;
  abstract close(): Promise<void>;
}
