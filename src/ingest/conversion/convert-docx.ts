import { strToU8, zipSync } from 'fflate';
import mammoth from 'mammoth';
import { decodeXml } from '../reading/decode-source.js';
import { MalformedDocumentError } from '../reading/parsed-document.js';
import type { ConvertedText } from './converted-text.js';
import { escapeHtml, htmlPage, tag } from './html-text.js';
import { documentTitle, unpack, type Unpacked } from './unpack.js';
import { allText, childNamed, elementsIn, elementsNamed, readXml, type XmlElement } from './xml-tree.js';

/** Styles of Word, LibreOffice and pandoc that Mammoth does not know. */
const STYLES = [
  "p[style-name='Title'] => h1:fresh",
  "p[style-name='Subtitle'] => p:fresh",
  "p[style-name='Source Code'] => pre:separator('\\n')",
  "p[style-name='Preformatted Text'] => pre:separator('\\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\\n')",
  "p[style-name='Code'] => pre:separator('\\n')",
  // Its headings stand in the text.
  "p[style-name='TOC Heading'] => !",
  "p[style-name^='toc '] => !",
  "r[style-name='Verbatim Char'] => code",
  "r[style-name='Source Text'] => code",
  "r[style-name='HTML Code'] => code",
];
/** The class of headings of own styles. */
const OWN = 'own-style';
/** Characters of a heading of an own style. */
const MAX_HEADING = 150;
const HEADING_LEVELS = new Set([1, 2, 3, 4, 5, 6]);
/** Styles that are based on each other. */
const MAX_STYLES = 20;
/** Images are not read; their descriptions are. */
const NO_IMAGE = mammoth.images.imgElement(() => Promise.resolve({ src: 'data:' }));

/** Converts a document of Word. Page headers and footers, comments and deleted text are left out. @throws MalformedDocumentError */
export async function convertDocx(bytes: Uint8Array): Promise<ConvertedText> {
  const files = unpack(bytes, (path) => !path.includes('/media/') && !path.includes('/embeddings/'));
  // Packed again without compression: Mammoth would unpack whatever an archive holds.
  const styles = [...STYLES, ...outlineStyles(files)];
  const archive = zipSync(Object.fromEntries(readableFiles(files)), { level: 0 });
  const value = await toHtml(archive, styles);
  // A hyperlink that is a field has its part of the page as an argument.
  const html = withoutLongHeadings(value).replace(
    /&quot; \\l &quot;(?=[^"<>]{0,500}")|" \\l "(?=[^"<>]{0,500}">)/g,
    '#',
  );
  const body = files.get('word/document.xml');
  const others = (body ? decodeXml(body) : '').match(/<w:altChunk[\s>]/g)?.length ?? 0;
  const leftOut = others > 0 ? [`${others} embedded documents are left out`] : [];
  return htmlPage(documentTitle(files), html, leftOut);
}

/** Headings of own styles: they have a level in the outline, or are based on a style that has one. */
function outlineStyles(files: Unpacked): string[] {
  const part = files.get('word/styles.xml');
  if (!part) return [];
  const styles = elementsNamed(readXml(decodeXml(part)), 'style');
  const byId = new Map(styles.map((style) => [style.attributes['w:styleId'] ?? '', style]));
  const value = (style: XmlElement, name: string): string | undefined =>
    elementsNamed(style, name)[0]?.attributes['w:val'];
  const level = (style: XmlElement | undefined, depth = 0): number => {
    if (!style || depth > MAX_STYLES) return 0;
    const named = /^heading ([1-6])$/i.exec(value(style, 'name') ?? '')?.[1];
    const outline = value(style, 'outlineLvl');
    if (outline !== undefined) return Number(outline) + 1;
    return Number(named ?? level(byId.get(value(style, 'basedOn') ?? ''), depth + 1));
  };
  return [...byId].flatMap(([id, style]) =>
    style.attributes['w:type'] === 'paragraph' &&
    /^[A-Za-z][\w-]*$/.test(id) &&
    HEADING_LEVELS.has(level(style))
      ? [`p.${id} => h${level(style)}.${OWN}:fresh`]
      : [],
  );
}

/** Contracts have whole clauses in such styles. */
const withoutLongHeadings = (html: string): string =>
  html.replace(
    new RegExp(`<(h[1-6]) class="${OWN}">([^]*?)</\\1>`, 'g'),
    (_, name: string, inner: string) => {
      const text = inner.replace(/<[^>]*>/g, '');
      return tag(text.length > MAX_HEADING || /[.!?;]\s+\S/.test(text) ? 'p' : name, inner);
    },
  );

async function toHtml(archive: Uint8Array, styleMap: readonly string[]): Promise<string> {
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(archive) },
      {
        styleMap: [...styleMap],
        includeEmbeddedStyleMap: false,
        convertImage: NO_IMAGE,
        externalFileAccess: false,
      },
    );
    return value;
  } catch (cause) {
    throw new MalformedDocumentError(0, 'it is damaged: it has no text of a Word document', { cause });
  }
}

const FORMULA = /<m:oMath(?: [^>]{0,1000})?>.*?<\/m:oMath>/gs;

/** Around formulas in lines of their own; Mammoth drops all of it. */
const DISPLAYED = /<m:oMathParaPr>.{0,500}?<\/m:oMathParaPr>|<\/?m:oMathPara(?: [^<>]{0,1000})?>/gs;
const SPACE = '<w:r><w:t xml:space="preserve"> </w:t></w:r>';

/** Formatting elements. With the ids of edits, they are two thirds of what Word writes, each an object in Mammoth's tree. */
const LOOKS =
  /<w:(?:bCs|color|iCs|ind|jc|kern|lang|lastRenderedPageBreak|proofErr|rFonts|shd|spacing|sz|szCs|tcW)(?: [^<>]{0,1000})?\/>/g;
const EDITED = /<w:(?:p|r|sectPr|tr) [^<>]{0,1000}>/g;
const EDIT_ID = / (?:w:rsid\w{0,10}|w14:(?:para|text)Id)="[\dA-F]{0,8}"/g;

const withoutLooks = (xml: string): string =>
  xml.replace(LOOKS, '').replace(EDITED, (tag) => tag.replace(EDIT_ID, ''));

/** The files without looks, and with formulas as text, since Mammoth leaves them out. */
function readableFiles(files: Unpacked): [string, Uint8Array][] {
  return Array.from(files, ([path, bytes]) => {
    if (!/^word\/\w+\.xml$/.test(path)) return [path, bytes];
    const text = decodeXml(bytes);
    const apart = withoutLooks(text)
      .replace(DISPLAYED, '')
      .replace(/<\/m:oMath>(?=<m:oMath[ >])/g, `$&${SPACE}`);
    const written = apart.replace(FORMULA, (formula) => {
      const line = escapeHtml(formulaText(readXml(formula)));
      return `<w:r><w:t xml:space="preserve">${line}</w:t></w:r>`;
    });
    return [path, written === text ? bytes : strToU8(written)];
  });
}

/** A formula in one line: `a/b`, `x^2`, `x_i`, `√(x)`, `lim_(x→0)`; rows are divided by `;`. */
function formulaText(formula: XmlElement): string {
  const part = (name: string): string => {
    const found = childNamed(formula, name);
    return found ? formulaText(found) : '';
  };
  if (formula.name === 't') return allText(formula);
  if (formula.name === 'f') return `(${part('num')})/(${part('den')})`;
  if (formula.name === 'rad') return `${part('deg')}√(${part('e')})`;
  if (formula.name === 'd') return `(${elementsNamed(formula, 'e').map(formulaText).join(', ')})`;
  if (formula.name === 'nary')
    return `${operator(formula)}${script('_', part('sub'))}${script('^', part('sup'))} ${part('e')}`;
  if (formula.name === 'func') return `${part('fName')} ${part('e')}`;
  if (formula.name === 'limLow') return part('e') + script('_', part('lim'));
  if (formula.name === 'limUpp') return part('e') + script('^', part('lim'));
  if (formula.name === 'eqArr' || formula.name === 'm')
    return elementsNamed(formula, 'e', 'mr').map(formulaText).join('; ');
  if (formula.name === 'mr') return elementsNamed(formula, 'e').map(formulaText).join(', ');
  if (formula.name.startsWith('sS'))
    return `${part('e')}${script('_', part('sub'))}${script('^', part('sup'))}`;
  return elementsIn(formula).map(formulaText).join('');
}

const operator = (formula: XmlElement): string =>
  elementsNamed(formula, 'chr')[0]?.attributes['m:val'] ?? '∫';

const script = (mark: string, text: string): string =>
  text === '' ? '' : `${mark}${text.length > 1 ? `(${text})` : text}`;
