import { withoutEmbedded } from './embedded-bytes.js';
import type { BodyBlock, DocumentReader, ParsedDocument } from './parsed-document.js';
import { withWikiLinks } from './read-wiki-links.js';
import { textMarkup } from './text-markup.js';

/** Loads a reader once: an import copies the exports of a module each time. */
function once(load: () => Promise<DocumentReader>): () => Promise<DocumentReader> {
  let reader: Promise<DocumentReader> | undefined;
  return () => (reader ??= load());
}

/** A reader of Markdown, of which pages show other texts than those that are written. */
const shown =
  (read: DocumentReader): DocumentReader =>
  async (text) =>
    withWikiLinks(withoutEmbedded(await read(text)));

// Loaded on first use: a server that only answers queries needs no parser.
const MARKDOWN = once(async () => shown((await import('./myst/read-myst.js')).readMyst));
const HTML = once(async () => (await import('./html/read-html-page.js')).readHtmlPage);
const ASCIIDOC = once(async () => (await import('./asciidoc/read-asciidoc.js')).readAsciidoc);
const RST = once(async () => (await import('./rst/read-rst.js')).readRst);
const TEXT = (): Promise<DocumentReader> => Promise.resolve(readTextFile);
/** Stands for the extension of a README that has none. */
const README = 'readme';
const LOADERS: ReadonlyMap<string, () => Promise<DocumentReader>> = new Map([
  ...['md', 'markdown', 'mkd', 'mdown', 'qmd', 'rmd', 'mdc', 'livemd', 'cheatmd'].map(
    (name) => [name, MARKDOWN] as const,
  ),
  ['mdx', once(async () => shown((await import('./mdx/read-mdx.js')).readMdx))],
  ...['html', 'htm'].map((name) => [name, HTML] as const),
  ['xhtml', once(async () => (await import('./html/read-html-page.js')).readXhtmlPage)],
  ...['rst', 'rest'].map((name) => [name, RST] as const),
  ...['adoc', 'asciidoc', 'asc'].map((name) => [name, ASCIIDOC] as const),
  ...['txt', 'text', README].map((name) => [name, TEXT] as const),
]);

/** Lists that programs read. */
const FOR_PROGRAMS =
  /(?:^|\/)(?:requirements(?:[-_.](?:dev|docs?|tests?|lint|build|ci))?|robots|cmakelists)\.txt$/i;
const textFormat = (path: string): string => (FOR_PROGRAMS.test(path) ? '' : extensionOf(path));

/** True for a file whose text is that of a page, by its extension in any case, and for a README without one. */
export function isTextDocument(path: string): boolean {
  return LOADERS.has(textFormat(path));
}

/**
 * Finds the reader for a file by its extension, in any case; undefined for a file that is no text.
 * @param format  of the text of a converted file; such as `html`
 */
export function readerFor(path: string, format = textFormat(path)): Promise<DocumentReader> | undefined {
  return LOADERS.get(format)?.();
}

/** The extension of a file, in lower case; '' without one. */
export function extensionOf(path: string): string {
  const [, extension] = /[^/]\.([A-Za-z]+)$/.exec(path) ?? [];
  return extension?.toLowerCase() ?? (/(?:^|\/)README$/i.test(path) ? README : '');
}

/** Reads a text file as the markup that it is written in, or else as plain text. */
async function readTextFile(text: string): Promise<ParsedDocument> {
  const reader = await LOADERS.get(textMarkup(text) ?? '')?.();
  return reader ? reader(text) : readText(text);
}

/** Reads plain text: each paragraph is a block, and Markdown characters have no meaning. */
export function readText(text: string): ParsedDocument {
  const blocks: BodyBlock[] = [];
  let paragraph: string[] = [];
  const lines = [...text.split('\n'), ''];
  lines.forEach((line, index) => {
    if (line.trim() !== '') {
      paragraph.push(line);
      return;
    }
    if (paragraph.length > 0) {
      blocks.push({ kind: 'text', text: paragraph.join('\n'), line: index - paragraph.length + 1 });
    }
    paragraph = [];
  });
  return { frontMatter: {}, written: [], title: null, blocks, tagLinks: [], anchors: [], problems: [] };
}
