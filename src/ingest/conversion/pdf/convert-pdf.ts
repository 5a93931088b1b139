import type { PDFDocumentProxy } from 'unpdf/pdfjs';
import { MalformedDocumentError } from '../../reading/parsed-document.js';
import type { ConvertedText } from '../converted-text.js';
import { escapeHtml, tag } from '../html-text.js';
import { HtmlBlocks, readVocabulary } from './block-html.js';
import { findHeadings, type Heading, readOutline } from './headings.js';
import { loadPdfLibrary, openPdf } from './pdf-library.js';
import { type PdfPage, PdfPageReader } from './read-page.js';
import { type PageLines, withRunningTextOnce } from './running-text.js';
import { blocksFrom, bodyStyle } from './text-blocks.js';
import { linesFrom, type PageLine } from './text-lines.js';

const MAX_PAGES = 5_000;
/** From this share of pages without text on, a document needs fixing. */
const MIN_SCANNED = 0.02;
const OCR = 'add a text layer by OCR, for example with ocrmypdf';

/** Converts a PDF: its text in the order of reading, with headings and the numbers of pages. @throws MalformedDocumentError */
export async function convertPdf(bytes: Uint8Array): Promise<ConvertedText> {
  const library = await loadPdfLibrary();
  const document = await openPdf(library, bytes);
  try {
    return await convertDocument(document, new PdfPageReader(library));
  } finally {
    // Not awaited: it can wait for a page that takes long.
    void document.loadingTask.destroy();
  }
}

async function convertDocument(document: PDFDocumentProxy, reader: PdfPageReader): Promise<ConvertedText> {
  const { numPages } = document;
  if (numPages > MAX_PAGES)
    throw new MalformedDocumentError(0, `it has ${numPages} pages, more than ${MAX_PAGES}; split it`);
  const read = await readPages(document, reader);
  if (read.pages.length === 0) throw new MalformedDocumentError(0, 'it is damaged: no page can be read');
  const scanned = read.pages.filter(({ words, isPicture }) => words.length === 0 && isPicture);
  if (scanned.length === numPages)
    throw new MalformedDocumentError(0, `it has no text: its pages are scanned or drawn; ${OCR}`);
  const { pages, count } = withRunningTextOnce(read.pages.map(linesOnPage));
  const text = await writeText(document, pages);
  const remark = scanned.length > 0 ? [`${pagesText(scanned)} no text: scanned or drawn; ${OCR}`] : [];
  const isProblem = scanned.length >= MIN_SCANNED * numPages;
  return {
    format: 'html',
    text,
    leftOut: [
      ...(isProblem ? [] : remark),
      ...(count > 0
        ? [`page numbers, and headers and footers that repeat, of ${count} pages are left out`]
        : []),
      ...unknownText(read.pages),
    ],
    problems: [
      ...(isProblem ? remark : []),
      ...(read.failed.length > 0 ? [`${pagesText(read.failed)} damaged content, which is left out`] : []),
    ],
  };
}

interface ReadPages {
  readonly pages: readonly PdfPage[];
  readonly failed: readonly { readonly number: number }[];
}

/** Pages that can't be read one after the other, from which on the rest is not tried. */
const MAX_FAILED = 50;

async function readPages(document: PDFDocumentProxy, reader: PdfPageReader): Promise<ReadPages> {
  const pages: PdfPage[] = [];
  const failed: { number: number }[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    try {
      const page = await document.getPage(number);
      pages.push(await reader.read(page));
      page.cleanup();
    } catch (error) {
      // PDF.js still reads this page, which would slow down the others.
      if (error instanceof MalformedDocumentError) throw error;
      // The other pages can be read; this one is named in the report.
      failed.push({ number });
      if (failed.length >= MAX_FAILED && pages.length === 0) break;
    }
  }
  return { pages, failed };
}

const linesOnPage = (page: PdfPage): PageLines => ({
  number: page.number,
  height: page.height,
  lines: linesFrom(page),
});

async function writeText(document: PDFDocumentProxy, pages: readonly PageLines[]): Promise<string> {
  const lines = pages.flatMap((page) => page.lines);
  const text = lines.filter(({ isRunning }) => !isRunning);
  const body = bodyStyle(text);
  const heights = new Map(pages.map(({ number, height }) => [number, height]));
  const { headings, title } = findHeadings(text, await readOutline(document), { body, heights });
  const starts = groupByStart(title ? [title, ...headings] : headings);
  const inHeadings = new Set(
    [...headings, ...(title ? [title] : [])].flatMap((one) => (one.isShown ? one.lines : [])),
  );
  const writer = new HtmlBlocks({ vocabulary: readVocabulary(lines), marksCode: !body.isMono });
  const isHeading = (line: PageLine): boolean =>
    starts.has(line) || inHeadings.has(line) || (!!line.table && !line.isRunning);
  const write = (line: PageLine): void => {
    for (const heading of starts.get(line) ?? [])
      writer.heading(heading.title, { level: heading.level + 1, page: heading.page });
  };
  for (const block of blocksFrom(lines, { body, isHeading })) {
    if ('kind' in block) {
      writer.block(block);
      continue;
    }
    write(block);
    if (block.table) writer.table(block);
    else if (!inHeadings.has(block))
      writer.block({ kind: 'paragraph', lines: [block], indent: { mark: 0, text: 0 } });
  }
  const name = (await infoTitle(document)) || title?.title || '';
  const head = name === '' ? '' : tag('title', escapeHtml(name));
  return `${head}<main>\n${writer.html()}</main>\n`;
}

/** The headings that begin at a line, or are put before it. */
function groupByStart(headings: readonly Heading[]): ReadonlyMap<PageLine, readonly Heading[]> {
  const starts = new Map<PageLine, Heading[]>();
  for (const heading of headings) {
    const [line] = heading.lines;
    if (line) starts.set(line, [...(starts.get(line) ?? []), heading]);
  }
  return starts;
}

/** Names that programs give to documents without a title. */
const NO_TITLE =
  /^(?:untitled|microsoft word|powerpoint presentation|title|document\d*$)|\.(?:docx?|dvi|tex|pdf|indd|ps|rtf|odt|fm|qxd)$|^[\s\p{P}\d]*$/iu;

async function infoTitle(document: PDFDocumentProxy): Promise<string> {
  const { info } = await document.getMetadata();
  const title =
    'Title' in info && typeof info.Title === 'string' ? info.Title.replace(/\s+/g, ' ').trim() : '';
  return NO_TITLE.test(title) ? '' : title;
}

const MAX_RANGES = 10;

/** Pages with a verb: `page 3 has`, `pages 3–7 and 9 have`. */
function pagesText(pages: readonly { readonly number: number }[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const { number } of pages) {
    const last = ranges.at(-1);
    if (last?.to === number - 1) last.to = number;
    else ranges.push({ from: number, to: number });
  }
  const named = ranges
    .slice(0, MAX_RANGES)
    .map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
  const more = ranges.length > MAX_RANGES ? ' and others' : '';
  return pages.length === 1 ? `page ${named.join('')} has` : `pages ${named.join(', ')}${more} have`;
}

/** Characters of fonts that do not say which letters they show. */
function unknownText(pages: readonly PdfPage[]): string[] {
  const found = pages.filter(({ unknown }) => unknown > 0);
  const count = found.reduce((sum, { unknown }) => sum + unknown, 0);
  if (count === 0) return [];
  return [
    `${pagesText(found)} ${count} characters of fonts that do not say what they mean; they are left out`,
  ];
}
