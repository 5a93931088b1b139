import type { ConvertedText } from './converted-text.js';
import {
  type Cell,
  escapeHtml,
  hiddenSheets,
  htmlPage,
  MAX_SHEET_CELLS,
  sheetsPage,
  type Slide,
  slidesPage,
  tableHtml,
  tag,
} from './html-text.js';
import { documentTitle, packagePart, unpack, type Unpacked } from './unpack.js';
import { allText, childNamed, elementsIn, elementsNamed, type XmlElement } from './xml-tree.js';

/** Parts that are no text of the document. */
const LEFT_OUT = new Set([
  'tracked-changes',
  'annotation',
  'annotation-end',
  'sequence-decls',
  'forms',
  'desc',
  'title',
  // Its headings stand in the text.
  'table-of-content',
]);
/** The text, its styles, and the formulas in it, which are documents of their own. */
const PARTS = /^(?:(?:content|styles|meta)\.xml|[^/]+\/content\.xml)$/;
/** Styles of code; LibreOffice writes a space as `_20_`. */
const CODE_STYLE = /^(?:Preformatted|Source|Code|HTML_20_Preformatted)/;

/** Converts a text, presentation or sheet of OpenDocument. Page headers and footers, comments and deleted text are left out. @throws MalformedDocumentError */
export function convertOdf(bytes: Uint8Array): ConvertedText {
  const files = unpack(bytes, (path) => PARTS.test(path));
  const content = packagePart(files, 'content.xml');
  const [body] = elementsNamed(content, 'body');
  const title = documentTitle(files, 'meta.xml');
  const [kind] = body ? elementsIn(body) : [];
  if (!kind) return htmlPage(title, '');
  const named = files.has('styles.xml') ? [packagePart(files, 'styles.xml')] : [];
  const text = new OdfText(readStyles([...named, content]), (path) => formulaAt(files, path));
  if (kind.name === 'spreadsheet') return workbookPage(title, kind, content);
  if (kind.name !== 'presentation') return htmlPage(title, text.blocks(kind));
  return slidesPage(
    title,
    elementsNamed(kind, 'page').map((page) => text.slide(page)),
  );
}

function workbookPage(title: string, body: XmlElement, content: XmlElement): ConvertedText {
  const hiding = elementsNamed(content, 'style').filter((style) =>
    elementsNamed(style, 'table-properties').some(
      ({ attributes }) => attributes['table:display'] === 'false',
    ),
  );
  const hidden = new Set(hiding.map(({ attributes }) => attributes['style:name']));
  const sheets = elementsNamed(body, 'table');
  const shown = sheets.filter(({ attributes }) => !hidden.has(attributes['table:style-name']));
  return sheetsPage(title, shown.map(readSheet), hiddenSheets(sheets.length - shown.length, sheets.length));
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
  const [formula] = elementsNamed(packagePart(files, part), 'math');
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

  slide(page: XmlElement): Slide {
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
    return { title, body };
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

/** The rows with text of a table, which writes repeated rows and cells once. Empty cells between others keep their places. */
function readSheet(grid: XmlElement): { readonly name: string; readonly rows: readonly string[][] } {
  const rows = elementsNamed(grid, 'table-row').flatMap((row) => {
    const cells: string[] = [];
    let gap = 0;
    for (const cell of elementsIn(row)) {
      const text = elementsNamed(cell, 'p').map(plainText).join('\n');
      const times = repeats(cell, 'table:number-columns-repeated');
      if (text === '') gap += times;
      else {
        for (; gap > 0 && cells.length < MAX_SHEET_CELLS; gap--) cells.push('');
        for (let i = 0; i < times && cells.length < MAX_SHEET_CELLS; i++) cells.push(text);
      }
    }
    // One row more than the limit of the workbook, so that it says that rows are left out.
    const most = Math.min(repeats(row, 'table:number-rows-repeated'), MAX_SHEET_CELLS + 1);
    return cells.length === 0 ? [] : Array.from({ length: most }, () => cells);
  });
  return { name: grid.attributes['table:name'] ?? 'Sheet', rows };
}

const repeats = ({ attributes }: XmlElement, name: string): number => Number(attributes[name] ?? 1);
