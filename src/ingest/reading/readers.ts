import type { DocumentReader } from './parsed-document.js';

// Loaded on first use: a server that only answers queries needs no parser.
const LOADERS: ReadonlyMap<string, () => Promise<DocumentReader>> = new Map([
  ['md', async () => (await import('./markdown/read-markdown.js')).readMarkdown],
  ['markdown', async () => (await import('./markdown/read-markdown.js')).readMarkdown],
  ['mdx', async () => (await import('./mdx/read-mdx.js')).readMdx],
  ['html', async () => (await import('./html/read-html.js')).readHtml],
  ['htm', async () => (await import('./html/read-html.js')).readHtml],
  ['txt', async () => (await import('./read-text.js')).readText],
]);

/** True when the extension, in any case, is that of a document. */
export function isDocument(path: string): boolean {
  return LOADERS.has(extensionOf(path));
}

/**
 * Finds the reader for a file by its extension, in any case.
 * @returns undefined for a file that is not a document
 */
export function readerFor(path: string): Promise<DocumentReader> | undefined {
  return LOADERS.get(extensionOf(path))?.();
}

function extensionOf(path: string): string {
  return /[^/]\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}
