import { titleIn } from './convert-docx.js';
import { type ConvertedText, wholeFileProblem } from './converted-text.js';
import { type Cell, escapeHtml, htmlPage, sheetTable, tableHtml, tag } from './html-text.js';
import { textAt, unpack, type Unpacked } from './unpack.js';
import { allText, childNamed, elementsIn, elementsNamed, readXml, type XmlElement } from './xml-tree.js';

/** Parts that are no text of the document. */
const LEFT_OUT = new Set([
  'tracked-changes',
  'annotation',
  'annotation-end',
  'sequence-decls',
  'forms',
  'desc',
  'title',
]);
/** The text, its styles, and the formulas in it, which are documents of their own. */
const PARTS = /^(?:(?:content|styles|meta)\.xml|[^/]+\/content\.xml)$/;
/** Styles of code; LibreOffice writes a space as `_20_`. */
const CODE_STYLE = /^(?:Preformatted|Source|Code|HTML_20_Preformatted)/;
/** Most copies of a repeated cell or row with text: sheets repeat empty ones a million times. */
const MAX_REPEATS = 1_000;

/** Converts a text, presentation or sheet of OpenDocument. Page headers and footers, comments and deleted text are left out. @throws MalformedDocumentError */
export function convertOdf(bytes: Uint8Array): ConvertedText {
  const files = unpack(bytes, (path) => PARTS.test(path));
  const content = readXml(textAt(files, 'content.xml'));
  const [body] = elementsNamed(content, 'body');
  const title = files.has('meta.xml') ? titleIn(textAt(files, 'meta.xml')) : '';
  const [kind] = body ? elementsIn(body) : [];
  if (!kind) return htmlPage(title, '');
  const named = files.has('styles.xml') ? [readXml(textAt(files, 'styles.xml'))] : [];
  const text = new OdfText(readStyles([...named, content]), (path) => formulaAt(files, path));
  if (kind.name === 'spreadsheet')
    return htmlPage(
      title,
      elementsNamed(kind, 'table')
        .map((one) => text.sheet(one))
        .join(''),
    );
  if (kind.name !== 'presentation') return htmlPage(title, text.blocks(kind));
  const slides = elementsNamed(kind, 'page').map((page, i) => text.slide(page, i + 1));
  const empty = slides.filter(({ isEmpty }) => isEmpty).length;
  const problems = empty > 0 ? [wholeFileProblem(`${empty} of ${slides.length} slides have no text`)] : [];
  return htmlPage(title, slides.map(({ html }) => html).join(''), problems);
}

interface Styles {
  readonly isCode: (style: string) => boolean;
  /** True if the items of a list are numbered at a level, from 1. */
  readonly isNumbered: (style: string, level: number) => boolean;
}

function readStyles(parts: readonly XmlElement[]): Styles {
  const styles = parts.flatMap((part) => elementsNamed(part, 'style', 'list-style'));
  const named = new Map(styles.map((style) => [style.attributes['style:name'] ?? '', style]));
  const parentStyle = (style: string): string =>
    named.get(style)?.attributes['style:parent-style-name'] ?? style;
  return {
    isCode: (style) => CODE_STYLE.test(parentStyle(style)),
    isNumbered: (style, level) => {
      const list = named.get(style);
      const levels = list ? elementsNamed(list, 'list-level-style-number') : [];
      return levels.some(({ attributes }) => Number(attributes['text:level']) === level);
    },
  };
}

/** A formula as its author typed it, or else its characters; '' for another object. */
function formulaAt(files: Unpacked, path: string): string {
  const part = `${path.replace(/^\.\//, '')}/content.xml`;
  if (!files.has(part)) return '';
  const [formula] = elementsNamed(readXml(textAt(files, part)), 'math');
  const [typed] = formula ? elementsNamed(formula, 'annotation') : [];
  const shown = typed ?? formula;
  return shown ? allText(shown).replace(/\s+/g, ' ').trim() : '';
}

/** Makes HTML of the elements of a text. */
class OdfText {
  constructor(
    private readonly styles: Styles,
    private readonly formula: (path: string) => string,
  ) {}

  /** The blocks below an element. Lines of code that follow each other are one block. */
  blocks(parent: XmlElement): string {
    let html = '';
    let code: string[] = [];
    const endCode = (): void => {
      if (code.length > 0) html += `<pre><code>${code.join('\n')}</code></pre>\n`;
      code = [];
    };
    for (const child of joinedLists(elementsIn(parent))) {
      if (child.name === 'p' && this.styles.isCode(child.attributes['text:style-name'] ?? '')) {
        code.push(this.inline(child).replaceAll('<br>', '\n'));
        continue;
      }
      endCode();
      html += this.block(child);
    }
    endCode();
    return html;
  }

  private block(child: XmlElement): string {
    if (LEFT_OUT.has(child.name)) return '';
    if (child.name === 'p') return this.paragraphHtml(child);
    if (child.name === 'h') {
      const level = Math.min(6, Math.max(1, Number(child.attributes['text:outline-level'] ?? 1)));
      return tag(`h${level}`, this.inline(child));
    }
    if (child.name === 'list') return this.list(child, child.attributes['text:style-name'] ?? '', 1);
    if (child.name === 'table') return tableHtml(this.rows(child));
    return this.blocks(child);
  }

  private paragraphHtml(child: XmlElement): string {
    const text = this.inline(child);
    const boxes = elementsNamed(child, 'text-box').map((box) => this.blocks(box));
    return (text.trim() === '' ? '' : tag('p', text)) + boxes.join('');
  }

  /** A list; the lists in it have its style. Presentations write each deeper item as an item with nothing but a list. */
  private list(list: XmlElement, style: string, level: number): string {
    const name = this.styles.isNumbered(style, level) ? 'ol' : 'ul';
    const items: string[] = [];
    for (const item of elementsIn(list)) {
      const below = elementsIn(item).filter((part) => part.name === 'list');
      const nested = below.map((part) => this.list(part, style, level + 1)).join('');
      const own = this.blocks({ ...item, children: item.children.filter((part) => !isList(part)) });
      if (own === '' && items.length > 0) items.push(`${items.pop() ?? ''}${nested}`);
      else items.push(own + nested);
    }
    return `<${name}>${items.map((item) => `<li>${item}</li>`).join('')}</${name}>\n`;
  }

  /** The text of a paragraph. Notes stand in brackets where they are referred to; text boxes are blocks. */
  private inline(parent: XmlElement): string {
    return parent.children
      .map((child) => (typeof child === 'string' ? escapeHtml(child.replace(/\s+/g, ' ')) : this.mark(child)))
      .join('');
  }

  private mark(child: XmlElement): string {
    if (LEFT_OUT.has(child.name) || child.name === 'text-box') return '';
    if (child.name === 's') return ' '.repeat(Math.min(100, Number(child.attributes['text:c'] ?? 1)));
    if (child.name === 'tab') return ' ';
    if (child.name === 'line-break') return '<br>';
    if (child.name === 'note') return this.note(child);
    if (child.name === 'object') return escapeHtml(this.formula(child.attributes['xlink:href'] ?? ''));
    const text = this.inline(child);
    if (child.name === 'a')
      return `<a href="${escapeHtml(child.attributes['xlink:href'] ?? '')}">${text}</a>`;
    const isCode = child.name === 'span' && this.styles.isCode(child.attributes['text:style-name'] ?? '');
    return isCode && text.trim() !== '' ? `<code>${text}</code>` : text;
  }

  private note(note: XmlElement): string {
    const body = childNamed(note, 'note-body');
    const text = body ? elementsNamed(body, 'p').map((one) => this.inline(one)) : [];
    return text.length > 0 ? ` (${text.join(' ').trim()})` : '';
  }

  private rows(grid: XmlElement): Cell[][] {
    return elementsNamed(grid, 'table-row').map((row) =>
      elementsIn(row)
        .filter(({ name }) => name === 'table-cell')
        .map((cell) => ({
          content: this.blocks(cell).trim(),
          columns: Number(cell.attributes['table:number-columns-spanned'] ?? 1),
          rows: Number(cell.attributes['table:number-rows-spanned'] ?? 1),
        })),
    );
  }

  sheet(grid: XmlElement): string {
    const rows = elementsNamed(grid, 'table-row').flatMap((row) => {
      const cells = elementsIn(row).flatMap((cell) => {
        const text = elementsNamed(cell, 'p').map(plainText).join('\n');
        return repeated(text, text === '', Number(cell.attributes['table:number-columns-repeated'] ?? 1));
      });
      const isEmpty = cells.every((cell) => cell === '');
      return repeated(cells, isEmpty, Number(row.attributes['table:number-rows-repeated'] ?? 1));
    });
    return tag('h2', escapeHtml(grid.attributes['table:name'] ?? 'Sheet')) + sheetTable(rows);
  }

  slide(page: XmlElement, number: number): { readonly html: string; readonly isEmpty: boolean } {
    const frames = elementsIn(page).filter(({ name }) => name !== 'notes');
    const isTitle = ({ attributes }: XmlElement): boolean => attributes['presentation:class'] === 'title';
    const title = frames
      .filter(isTitle)
      .flatMap((frame) => elementsNamed(frame, 'p').map(plainText))
      .join(' ')
      .trim();
    const notes = childNamed(page, 'notes');
    const isNote = ({ attributes }: XmlElement): boolean => attributes['presentation:class'] === 'notes';
    const shown = [
      ...frames.filter((frame) => !isTitle(frame)),
      ...(notes ? elementsIn(notes).filter(isNote) : []),
    ];
    const body = shown.map((frame) => this.blocks(frame)).join('');
    const heading = tag('h2', escapeHtml(title === '' ? `Slide ${number}` : title));
    return { html: heading + body, isEmpty: title === '' && body === '' };
  }
}

const isList = (part: XmlElement | string): boolean => typeof part !== 'string' && part.name === 'list';

/** A list that begins with a deeper list goes on with the list before it: presentations write each item as a list. */
function joinedLists(children: readonly XmlElement[]): XmlElement[] {
  const joined: XmlElement[] = [];
  for (const child of children) {
    const last = joined.at(-1);
    const [first] = elementsIn(child);
    const isDeeper = child.name === 'list' && first && elementsIn(first).every(isList);
    if (last?.name !== 'list' || !isDeeper) joined.push(child);
    else joined.splice(-1, 1, { ...last, children: [...last.children, ...child.children] });
  }
  return joined;
}

const plainText = (paragraph: XmlElement): string =>
  paragraph.children
    .map((child) => {
      if (typeof child === 'string') return child.replace(/\s+/g, ' ');
      if (LEFT_OUT.has(child.name)) return '';
      return child.name === 's' || child.name === 'tab'
        ? ' '
        : child.name === 'line-break'
          ? '\n'
          : plainText(child);
    })
    .join('');

/** Copies of a cell or row. Empty ones keep their places, up to a limit. */
const repeated = <T>(value: T, isEmpty: boolean, times: number): T[] =>
  Array.from({ length: Math.min(times, isEmpty ? 100 : MAX_REPEATS) }, () => value);
