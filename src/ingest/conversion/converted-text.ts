import type { DocumentProblem } from '../../core/indexed-document.js';

/** The extensions of files that are converted to text first. */
export const CONVERTED = [
  ...['docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods'],
  ...['epub', 'ipynb', 'csv', 'tsv'],
  ...['eml', 'mbox', 'mhtml', 'mht'],
] as const;

/** The text of a file in a format that is no text, as a reader of text takes it. */
export interface ConvertedText {
  /** The extension of the format. */
  readonly format: 'html' | 'md' | 'txt';
  readonly text: string;
  /** What could not be converted. */
  readonly problems: readonly DocumentProblem[];
}

/** Converts the bytes of a file. @throws MalformedDocumentError */
export type Converter = (bytes: Uint8Array) => ConvertedText | Promise<ConvertedText>;

/** A problem of a whole file, whose lines are not those of the text. */
export const wholeFileProblem = (reason: string): DocumentProblem => ({ line: 0, reason });
