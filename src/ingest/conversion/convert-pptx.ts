import type { ConvertedText } from './converted-text.js';
import { type Cell, escapeHtml, type Slide, slidesPage, tableHtml, tag } from './html-text.js';
import { documentTitle, packagePart, readRelationships, unpack, type Unpacked } from './unpack.js';
import { allText, childNamed, elementsIn, elementsNamed, type XmlElement } from './xml-tree.js';

const MAIN = 'ppt/presentation.xml';
const TITLES = new Set(['title', 'ctrTitle']);
/** Placeholders that repeat on each slide. */
const REPEATED = new Set(['dt', 'ftr', 'sldNum', 'hdr']);

/** Converts a presentation of PowerPoint: a section a slide, with its notes. @throws MalformedDocumentError */
export function convertPptx(bytes: Uint8Array): ConvertedText {
  const files = unpack(bytes, (path) => /\.(?:xml|rels)$/i.test(path));
  const slides = slidePaths(files);
  return slidesPage(
    documentTitle(files),
    slides.map((path) => readSlide(files, path)),
  );
}

/** The slides in the order in which they are shown. */
function slidePaths(files: Unpacked): string[] {
  const relations = readRelationships(files, MAIN);
  return elementsNamed(packagePart(files, MAIN), 'sldId').flatMap(({ attributes }) => {
    const target = relations.get(attributes['r:id'] ?? '')?.path;
    return target !== undefined && files.has(target) ? [target] : [];
  });
}

function readSlide(files: Unpacked, path: string): Slide {
  const related = [...readRelationships(files, path).values()];
  const shapes = listShapes(packagePart(files, path));
  const isTitle = (shape: XmlElement): boolean => TITLES.has(placeholderKind(shape) ?? '');
  const title = shapes.filter(isTitle).map(plainText).join(' ').trim();
  const others = shapes.filter((shape) => !isTitle(shape) && !REPEATED.has(placeholderKind(shape) ?? ''));
  const diagrams = related.filter(({ type }) => type === 'diagramData');
  const notes = related.filter(({ type }) => type === 'notesSlide');
  const body = [
    ...others.map(shapeHtml),
    ...diagrams.map((part) => textLines(packagePart(files, part.path))),
    ...notes.map((part) => notesHtml(packagePart(files, part.path))),
  ].join('');
  return { title, body };
}

/** Shapes and tables, also those in groups. */
const listShapes = (slide: XmlElement): XmlElement[] => elementsNamed(slide, 'sp', 'graphicFrame');

/** The kind of a placeholder; '' for one of the body, undefined for another shape. */
function placeholderKind(shape: XmlElement): string | undefined {
  const [placeholder] = elementsNamed(shape, 'ph');
  return placeholder && (placeholder.attributes['type'] ?? '');
}

const plainText = (shape: XmlElement): string =>
  elementsNamed(shape, 'p').map(paragraphText).join(' ').replace(/\s+/g, ' ');

const paragraphText = (paragraph: XmlElement): string =>
  elementsNamed(paragraph, 't', 'br')
    .map((part) => (part.name === 'br' ? '\n' : allText(part)))
    .join('');

function shapeHtml(shape: XmlElement): string {
  const [grid] = elementsNamed(shape, 'tbl');
  return grid ? gridHtml(grid) : textLines(shape, placeholderKind(shape) !== undefined);
}

/** The paragraphs of a shape. Those of a placeholder are the points of a list, each at its level. */
function textLines(shape: XmlElement, isList = false): string {
  const paragraphs = elementsNamed(shape, 'p').flatMap((paragraph) => {
    const text = paragraphText(paragraph).trim();
    const level = Number(childNamed(paragraph, 'pPr')?.attributes['lvl'] ?? 0);
    return text === '' ? [] : [{ text: escapeHtml(text).replaceAll('\n', '<br>'), level }];
  });
  if (!isList || paragraphs.length < 2) return paragraphs.map(({ text }) => tag('p', text)).join('');
  return listHtml(paragraphs);
}

interface Point {
  /** HTML */
  readonly text: string;
  readonly level: number;
}

/** A nested list of points. */
function listHtml(points: readonly Point[]): string {
  let depth = 0;
  const parts = points.map(({ text, level }) => {
    const wanted = Math.min(level, depth) + 1;
    const close = '</li></ul>'.repeat(Math.max(0, depth - wanted));
    const start = wanted > depth ? '<ul><li>' : `${close}</li><li>`;
    depth = wanted;
    return start + text;
  });
  return `${parts.join('')}${'</li></ul>'.repeat(depth)}\n`;
}

function gridHtml(grid: XmlElement): string {
  const rows = elementsNamed(grid, 'tr').map((row) =>
    elementsIn(row)
      .filter(({ name, attributes }) => name === 'tc' && !attributes['hMerge'] && !attributes['vMerge'])
      .map(readCell),
  );
  return tableHtml(rows);
}

function readCell(cell: XmlElement): Cell {
  const content = elementsNamed(cell, 'p').map((one) => escapeHtml(paragraphText(one)));
  return {
    content: content.filter(Boolean).join('<br>'),
    columns: Number(cell.attributes['gridSpan'] ?? 1),
    rows: Number(cell.attributes['rowSpan'] ?? 1),
  };
}

function notesHtml(notes: XmlElement): string {
  const body = listShapes(notes).filter((shape) => placeholderKind(shape) === 'body');
  return body.map((shape) => textLines(shape)).join('');
}
