import { posix } from 'node:path';
import { decodePath } from '../../core/section-id.js';
import { decodeXml } from '../reading/decode-source.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import type { ConvertedText } from './converted-text.js';
import { htmlPage } from './html-text.js';
import { documentTitle, packagePart, unpack } from './unpack.js';
import { elementsNamed } from './xml-tree.js';

const CONTAINER = 'META-INF/container.xml';
/** Names encrypted files, which may be fonts only. */
const ENCRYPTION = 'META-INF/encryption.xml';
const PAGE = /\.x?html?$/i;
/** Elements that the reader of HTML takes for the whole page, and those that it leaves out: each chapter may have its own. */
const PARTS = /<(\/?)(?:main|article|header|footer|aside)\b/gi;

/** Converts a book in EPUB: its chapters in the order of reading. @throws MalformedDocumentError */
export function convertEpub(bytes: Uint8Array): ConvertedText {
  const files = unpack(bytes, (path) => /\.(?:xml|opf|x?html?)$/i.test(path));
  const encrypted = files.has(ENCRYPTION)
    ? elementsNamed(packagePart(files, ENCRYPTION), 'CipherReference')
    : [];
  if (encrypted.some(({ attributes }) => PAGE.test(attributes['URI'] ?? '')))
    throw new MalformedDocumentError(0, 'its chapters are encrypted (DRM)');
  const [root] = elementsNamed(packagePart(files, CONTAINER), 'rootfile');
  const path = root?.attributes['full-path'] ?? '';
  const book = packagePart(files, path);
  const items = new Map(
    elementsNamed(book, 'item').map(({ attributes }) => [attributes['id'] ?? '', attributes]),
  );
  const chapters = elementsNamed(book, 'itemref').flatMap(({ attributes }) => {
    const { href = '', properties = '' } = items.get(attributes['idref'] ?? '') ?? {};
    if (properties.split(' ').includes('nav')) return [];
    const chapter = files.get(posix.join(posix.dirname(path), decodePath(href)));
    return [chapter ? bodyHtml(decodeXml(chapter)) : null];
  });
  const lost = chapters.filter((chapter) => chapter === null).length;
  const leftOut = lost > 0 ? [`${lost} of ${chapters.length} chapters are missing`] : [];
  const title = documentTitle(files, path);
  // A page is named by its first heading, which in a book is that of a chapter.
  const header = title === '' ? '' : `---\ntitle: ${JSON.stringify(title)}\n---\n`;
  return { format: 'xhtml', text: header + htmlPage(title, chapters.join('\n')).text, leftOut };
}

function bodyHtml(page: string): string {
  const start = /<body\b[^>]{0,2000}>/i.exec(page);
  const from = start ? start.index + start[0].length : 0;
  const end = page.lastIndexOf('</body');
  return page.slice(from, end < from ? undefined : end).replace(PARTS, '<$1div');
}
