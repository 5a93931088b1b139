export interface UnreadFiles {
  /** Lower case, with the dot; '' for files without an extension. */
  readonly extension: string;
  readonly files: number;
  /** How to convert such files; null for formats without prose. */
  readonly advice: string | null;
}

const MAX_KINDS = 100;
const PANDOC = 'convert to Markdown, for example with pandoc';

const ADVICE: Readonly<Record<string, string>> = {
  '.doc': 'save as .docx',
  '.pdf': 'convert to text, for example with pdftotext',
  '.pod': 'convert to HTML, for example with pod2html',
  '.ppt': 'save as .pptx',
  '.rtf': 'save as .docx',
  '.tex': PANDOC,
  '.xls': 'save as .xlsx',
};

/** The extension in lower case, with the dot; '' if there is none or if it has more than 15 characters. */
function extensionOf(path: string): string {
  return /[^/](\.[\p{L}\p{N}_+-]{1,15})$/u.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** Counts files by extension. Convertible extensions come first, then those with the most files. */
export function countUnread(paths: readonly string[]): UnreadFiles[] {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(extensionOf(path), (counts.get(extensionOf(path)) ?? 0) + 1);
  return [...counts]
    .map(([extension, files]) => ({ extension, files, advice: ADVICE[extension] ?? null }))
    .sort(
      (a, b) =>
        Number(a.advice === null) - Number(b.advice === null) ||
        b.files - a.files ||
        (a.extension < b.extension ? -1 : 1),
    )
    .slice(0, MAX_KINDS);
}
