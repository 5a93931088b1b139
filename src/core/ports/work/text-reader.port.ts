/** Longest time of a task (ms). Hostile texts of the largest size take seconds. */
export const MAX_READ_MS = 8_000;

/** Reads documents without holding up the calls of others. */
export abstract class TextReader {
  /**
   * @param caller  the principal that asks; callers take turns
   * @param task  a `DocumentTask`, which is copied
   * @returns what `runTask` returns
   * @throws MalformedDocumentError; InvalidArgumentError `document_too_costly` after `MAX_READ_MS` or for too much memory
   */
  abstract run(caller: string, task: object): Promise<unknown>;
  abstract close(): Promise<void>;
}
