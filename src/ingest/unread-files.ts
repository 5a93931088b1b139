import type { PassedOver } from './walk-folder.js';

export interface UnreadFiles {
  /** Lower case, with the dot; '' for files without an extension. */
  readonly extension: string;
  readonly files: number;
  /** How to convert such files; null for formats without prose. */
  readonly advice: string | null;
}

const MAX_KINDS = 100;
const PDF = 'export as .pdf';
const OCR = 'pictures are not read: convert to text, for example with OCR';
const SOURCE = 'add it as a source: pith add FILE';

const ADVICE: Readonly<Record<string, string>> = {
  '.azw3': 'convert to .epub, for example with Calibre',
  '.chm': 'convert to HTML, for example with 7-Zip',
  '.djvu': 'convert to text, for example with djvutxt',
  '.doc': 'save as .docx',
  '.docm': 'save as .docx',
  '.fb2': 'convert to .epub, for example with Calibre',
  '.gz': 'unpack it; or if it is a .tar.gz, add it as a source: pith add FILE',
  '.heic': OCR,
  '.key': 'export as .pptx',
  '.mobi': 'convert to .epub, for example with Calibre',
  '.msg': 'save as .eml',
  '.numbers': 'export as .xlsx',
  '.odg': PDF,
  '.one': PDF,
  '.pages': 'export as .docx',
  '.pod': 'convert to HTML, for example with pod2html',
  '.ppt': 'save as .pptx',
  '.pptm': 'save as .pptx',
  '.ps': 'convert to text, for example with ps2ascii',
  '.pub': PDF,
  '.tar': SOURCE,
  '.tgz': SOURCE,
  '.tif': OCR,
  '.tiff': OCR,
  '.vsd': PDF,
  '.vsdx': PDF,
  '.wpd': 'save as .docx',
  '.xls': 'save as .xlsx',
  '.xlsb': 'save as .xlsx',
  '.xlsm': 'save as .xlsx',
  '.xps': PDF,
  '.zip': SOURCE,
};

/** Formats of one file name, whose extension is also that of others. */
const BY_NAME: readonly (readonly [name: RegExp, advice: string])[] = [
  [/(?:^|\/)entities\.xml$/, 'an XML export of Confluence is not read: export the space as HTML'],
];

/** The extension in lower case, with the dot; '' if there is none or if it has more than 15 characters. */
function extensionOf(path: string): string {
  return /[^/](\.[\p{L}\p{N}_+-]{1,15})$/u.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** How to convert a file in an unsupported format; null for formats without prose. */
export const adviceFor = (path: string): string | null =>
  ADVICE[extensionOf(path)] ?? BY_NAME.find(([name]) => name.test(path))?.[1] ?? null;

/** Counts files by extension. Convertible extensions come first, then those with the most files. */
export function countUnread(paths: readonly string[]): UnreadFiles[] {
  const counts = new Map<string, number>();
  const advices = new Map<string, string>();
  for (const path of paths) {
    const extension = extensionOf(path);
    counts.set(extension, (counts.get(extension) ?? 0) + 1);
    const advice = adviceFor(path);
    if (advice !== null) advices.set(extension, advice);
  }
  return [...counts]
    .map(([extension, files]) => ({ extension, files, advice: advices.get(extension) ?? null }))
    .sort(
      (a, b) =>
        Number(a.advice === null) - Number(b.advice === null) ||
        b.files - a.files ||
        (a.extension < b.extension ? -1 : 1),
    )
    .slice(0, MAX_KINDS);
}

/** Maximum number of kinds of files that are listed in one line. */
const MAX_LISTED_KINDS = 8;

/** A kind of unread files in a few words: `2 .xml`. */
export const kindText = ({ extension, files }: Pick<UnreadFiles, 'extension' | 'files'>): string =>
  `${files} ${extension === '' ? 'without an extension' : extension}`;

/** The kinds of unread files in a few words: `2 .xml, 1 without an extension`. */
export function kindsText(unread: readonly UnreadFiles[]): string {
  const more = unread.length - MAX_LISTED_KINDS;
  const others = more > 0 ? [`${more} more ${more === 1 ? 'kind' : 'kinds'}`] : [];
  return [...unread.slice(0, MAX_LISTED_KINDS).map(kindText), ...others].join(', ');
}

/** The files of one source that are not in the index, with paths inside the source. */
export interface SourceLosses {
  readonly name: string;
  readonly skipped: readonly PassedOver[];
  readonly unread: readonly UnreadFiles[];
}

/** Finds the files that a run left out of a source. @param prefix  of its paths: its name and a slash */
export function lossesIn(
  prefix: string,
  { skipped, unread }: { readonly skipped: readonly PassedOver[]; readonly unread: readonly string[] },
): SourceLosses {
  const name = prefix.slice(0, -1);
  return {
    name,
    skipped: skipped.flatMap((file) => {
      if (file.path === name) return [{ ...file, path: '.' }];
      return file.path.startsWith(prefix) ? [{ ...file, path: file.path.slice(prefix.length) }] : [];
    }),
    unread: countUnread(unread.filter((path) => path.startsWith(prefix))),
  };
}
