import { splitFrontMatter } from '../front-matter/split-front-matter.js';
import type { ParsedDocument } from '../parsed-document.js';
import { readHtml } from './read-html.js';

/** Reads an HTML file, also with front matter, as Jekyll and Hugo write it. @throws MalformedDocumentError */
export function readHtmlPage(text: string): ParsedDocument {
  const { frontMatter, written, problems, body } = splitFrontMatter(text);
  return { ...readHtml(body), frontMatter, written, problems };
}
