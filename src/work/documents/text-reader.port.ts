/**
 * Longest time of a task (ms). Real pages of 500 KB take about one second, hostile texts of 64 KB up to five. A call has at
 * most two tasks, and two waits for the task of another caller fit into its deadline.
 */
export const MAX_READ_MS = 3_000;

/** Reads documents without holding up the calls of others. */
export abstract class TextReader {
  /**
   * @param caller  the principal that asks; those whose tasks took less time come first
   * @param task  a `DocumentTask`, which is copied
   * @returns what `runTask` returns
   * @throws MalformedDocumentError; InvalidArgumentError `document_too_costly` after `MAX_READ_MS` or for too much memory
   */
  abstract run(caller: string, task: object): Promise<unknown>;
  abstract close(): Promise<void>;
}
