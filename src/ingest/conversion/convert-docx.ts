import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import type { ConvertedText } from './converted-text.js';
import { htmlPage } from './html-text.js';
import { textAt, unpack } from './unpack.js';
import { allText, elementsNamed, readXml } from './xml-tree.js';

/** Styles of Word, LibreOffice and pandoc that Mammoth does not know. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "p[style-name='Preformatted Text'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Code'] => pre:separator('\\n')",
  "r[style-name='Verbatim Char'] => code",
  "r[style-name='Source Text'] => code",
  "r[style-name='HTML Code'] => code",
];
const CORE = 'docProps/core.xml';
/** Images are not read; this is their place. */
const NO_IMAGE = mammoth.images.imgElement(() => Promise.resolve({ src: '' }));

/** Converts a document of Word. Page headers and footers, comments and deleted text are left out. @throws MalformedDocumentError */
export async function convertDocx(bytes: Uint8Array): Promise<ConvertedText> {
  const files = unpack(bytes, (path) => !path.includes('/media/') && !path.includes('/embeddings/'));
  textAt(files, 'word/document.xml');
  // Packed again without compression: Mammoth would unpack whatever an archive holds.
  const archive = zipSync(Object.fromEntries(files), { level: 0 });
  const { value } = await mammoth.convertToHtml(
    { buffer: Buffer.from(archive) },
    { styleMap: STYLES, includeEmbeddedStyleMap: false, convertImage: NO_IMAGE, externalFileAccess: false },
  );
  // A hyperlink that is a field has its part of the page as an argument.
  const html = value.replace(/&quot; \\l &quot;(?=[^"<>]{0,500}")|" \\l "(?=[^"<>]{0,500}">)/g, '#');
  return htmlPage(titleIn(files.has(CORE) ? textAt(files, CORE) : ''), html);
}

/** The title in the properties of an Office document; '' without one. */
export function titleIn(core: string): string {
  if (core === '') return '';
  const [title] = elementsNamed(readXml(core), 'title');
  return title ? allText(title).trim() : '';
}
