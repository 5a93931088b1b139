/** A text that a call sends, as a file that `pith index` would read. */
export interface SentText {
  readonly text: string;
  /** With an extension that `pith index` reads. */
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** The parts of a text to read: the document, or the document with its tables. */
export type TextPart = 'document' | 'tables';

/** Longest time to read a text (ms). Hostile texts of the largest size take seconds. */
export const MAX_READ_MS = 8_000;

/** Reads texts without holding up the calls of others. */
export abstract class TextReader {
  /**
   * Reads a text as `pith index` reads a file.
   * @param caller  the principal that sends it
   * @returns a `PassedDocument`
   * @throws MalformedDocumentError; InvalidArgumentError `document_too_costly` after `MAX_READ_MS` or for too much memory
   */
  abstract read(caller: string, text: SentText, part: TextPart): Promise<unknown>;
  abstract close(): Promise<void>;
}
