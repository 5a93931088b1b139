/** A model that reads a question together with a text and scores how well the text answers it. */
export abstract class Reranker {
  /**
   * Scores each text, in the given order, 0 to 1; higher is better.
   * @param texts  at most 100
   * @throws BackendUnavailableError, DeadlineExceededError `reranker`
   */
  abstract score(question: string, texts: readonly string[]): Promise<readonly number[]>;
  abstract close(): Promise<void>;
}
