/** The extensions of files that are converted to text first. */
export const CONVERTED = [
  ...['pdf', 'docx', 'pptx', 'xlsx', 'odt', 'odp', 'ods'],
  ...['epub', 'ipynb', 'csv', 'tsv'],
  ...['eml', 'mbox', 'mhtml', 'mht'],
  ...['org', 'wiki', 'mediawiki', 'dokuwiki', 'textile'],
  ...['rtf', 'tex', 'latex'],
] as const;

/** The package with the grammars, which npm does not install with Pith. */
export const CODE_GRAMMARS = '@vscode/tree-sitter-wasm';

/** The extensions of code, which is read only if a glob of `include` names them. */
export const CODE_EXTENSIONS = [
  ...['py', 'pyi', 'ts', 'mts', 'cts', 'tsx', 'js', 'mjs', 'cjs', 'jsx'],
  ...['go', 'rs', 'java'],
] as const;

/** The text of a file in a format that is no text, as a reader of text takes it. */
export interface ConvertedText {
  /** The extension of the format. */
  readonly format: 'html' | 'xhtml' | 'md';
  readonly text: string;
  /** Parts of the file that the text does not have, for the report. They need no fixing. */
  readonly leftOut: readonly string[];
  /** Parts that it does not have and that need fixing. */
  readonly problems?: readonly string[];
}

/** Converts the bytes of a file. @param path  its place in the corpus @throws MalformedDocumentError */
export type Converter = (bytes: Uint8Array, path: string) => ConvertedText | Promise<ConvertedText>;
