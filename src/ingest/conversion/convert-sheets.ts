import Papa from 'papaparse';
import { decodeSource } from '../reading/decode-source.js';
import type { ConvertedText } from './converted-text.js';
import { beyondText, countBeyond, hiddenSheets, htmlPage, sheetsPage, sheetTable } from './html-text.js';
import { documentTitle, packagePart, readRelationships, unpack, type Unpacked } from './unpack.js';
import { allText, childNamed, elementsIn, elementsNamed, type XmlElement } from './xml-tree.js';

const MAIN = 'xl/workbook.xml';
const STRINGS = 'xl/sharedStrings.xml';
const STYLES = 'xl/styles.xml';
/** Columns of a sheet of Excel, so that a false address makes no huge row. */
const MAX_COLUMNS = 16_384;
const DAY_MS = 86_400_000;
/** Built-in formats of dates, of dates with times and of times (ECMA-376, 18.8.30). */
const DATE_FORMATS = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 45, 47]);
/** The built-in format of hours that go on beyond a day. */
const ELAPSED = 46;
/** Built-in formats of shares. */
const PERCENT_FORMATS = new Set([9, 10]);

/** A number is that of the least digits before the point. */
type CellFormat = 'date' | 'elapsed' | 'percent' | number;

interface Workbook {
  readonly strings: readonly string[];
  /** By the number of the style. */
  readonly formats: readonly CellFormat[];
  /** The first day of its dates (ms). */
  readonly epoch: number;
}

/** Converts a workbook of Excel: a section with a table a sheet. Hidden sheets are left out. @throws MalformedDocumentError */
export function convertXlsx(bytes: Uint8Array): ConvertedText {
  const files = unpack(bytes, (path) => /\.(?:xml|rels)$/i.test(path));
  const main = packagePart(files, MAIN);
  const relations = readRelationships(files, MAIN);
  const workbook = readWorkbook(files, main);
  const sheets = elementsNamed(main, 'sheet');
  const shown = sheets.filter(({ attributes }) => (attributes['state'] ?? 'visible') === 'visible');
  const read = shown.map(({ attributes }) => {
    const path = relations.get(attributes['r:id'] ?? '')?.path;
    const rows = path === undefined ? [] : readRows(packagePart(files, path), workbook);
    return { name: attributes['name'] ?? 'Sheet', rows };
  });
  return sheetsPage(documentTitle(files), read, hiddenSheets(sheets.length - shown.length, sheets.length));
}

function readWorkbook(files: Unpacked, main: XmlElement): Workbook {
  const [properties] = elementsNamed(main, 'workbookPr');
  const is1904 = ['1', 'true'].includes(properties?.attributes['date1904'] ?? '');
  return {
    strings: files.has(STRINGS) ? elementsNamed(packagePart(files, STRINGS), 'si').map(richText) : [],
    formats: files.has(STYLES) ? cellFormats(packagePart(files, STYLES)) : [],
    epoch: is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30),
  };
}

/** The runs of a text, without the readings of its characters in Japanese. */
const richText = (item: XmlElement): string =>
  elementsIn(item)
    .filter(({ name }) => name !== 'rPh')
    .map((part) => (part.name === 't' ? allText(part) : elementsNamed(part, 't').map(allText).join('')))
    .join('');

function cellFormats(styles: XmlElement): CellFormat[] {
  const codes = new Map(
    elementsNamed(styles, 'numFmt').map(({ attributes }) => [
      Number(attributes['numFmtId']),
      attributes['formatCode'] ?? '',
    ]),
  );
  const [formats] = elementsNamed(styles, 'cellXfs');
  return elementsIn(formats ?? styles).map(({ attributes }) =>
    readFormat(Number(attributes['numFmtId'] ?? 0), codes),
  );
}

function readFormat(id: number, codes: ReadonlyMap<number, string>): CellFormat {
  // Texts in quotation marks, and single characters after a backslash, are no codes.
  const written = id === ELAPSED ? '[h]:mm:ss' : (codes.get(id) ?? '').replace(/"[^"]*"|\\./g, '');
  if (DATE_FORMATS.has(id)) return 'date';
  if (PERCENT_FORMATS.has(id)) return 'percent';
  // Hours, minutes or seconds that go on beyond a day, an hour or a minute.
  if (/\[(?:h+|m+|s+)\]/i.test(written)) return 'elapsed';
  // Neither are colours and conditions.
  const code = written.replace(/\[[^\]]*\]/g, '');
  if (/[ymdhs]/i.test(code) && !/[#0]\.?[#0]*%?/.test(code.replace(/\.0+/g, ''))) return 'date';
  return code.includes('%') ? 'percent' : (/^0+/.exec(code)?.[0].length ?? 1);
}

function readRows(sheet: XmlElement, workbook: Workbook): string[][] {
  return elementsNamed(sheet, 'row').map((row) => {
    const cells: string[] = [];
    for (const cell of elementsIn(row)) {
      const at = readColumn(cell.attributes['r'] ?? '') ?? cells.length;
      if (at >= MAX_COLUMNS) continue;
      while (cells.length < at) cells.push('');
      cells[at] = readValue(cell, workbook);
    }
    return cells;
  });
}

/** The column of an address such as `AB12`, from 0. */
function readColumn(address: string): number | null {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(address)?.[0];
  if (letters === undefined) return null;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function readValue(cell: XmlElement, { strings, formats, epoch }: Workbook): string {
  const { t: type = 'n', s: style } = cell.attributes;
  if (type === 'inlineStr') return elementsNamed(cell, 'is').map(richText).join('');
  const value = childNamed(cell, 'v');
  const written = value ? allText(value) : '';
  if (type === 's') return strings[Number(written)] ?? '';
  if (type === 'b') return written === '1' ? 'TRUE' : 'FALSE';
  const number = Number(written);
  if (type !== 'n' || written === '' || !Number.isFinite(number)) return written;
  const format = formats[Number(style ?? 0)] ?? 1;
  if (format === 'date') return isoDate(number, epoch);
  if (format === 'elapsed') return elapsedText(number);
  return format === 'percent' ? `${roundedText(number * 100)}%` : withZeros(roundedText(number), format);
}

/** A whole number with the zeros before it that its format asks for, as in numbers of parts. */
const withZeros = (text: string, digits: number): string =>
  /^\d+$/.test(text) ? text.padStart(digits, '0') : text;

function elapsedText(days: number): string {
  const seconds = Math.round(Math.abs(days) * 86_400);
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return (days < 0 ? '-' : '') + parts.map((part) => String(part).padStart(2, '0')).join(':');
}

/** A number without the noise of its binary form. */
const roundedText = (value: number): string => String(Number(value.toPrecision(15)));

/** A date, a time, or both, as ISO 8601 writes them. */
function isoDate(days: number, epoch: number): string {
  const ms = epoch + Math.round(days * DAY_MS);
  if (Math.abs(ms) > 8.64e15) return String(days);
  const [date = '', time = ''] = new Date(ms).toISOString().slice(0, 19).split('T');
  if (days < 1) return time;
  return Number.isInteger(days) ? date : `${date} ${time}`;
}

/** Converts a table of comma, semicolon or tab separated values. @throws MalformedDocumentError for bytes that are no text */
export function convertCsv(bytes: Uint8Array): ConvertedText {
  const { data } = Papa.parse<string[]>(decodeSource(bytes), { skipEmptyLines: 'greedy' });
  return htmlPage('', sheetTable(data), beyondText(countBeyond(data)));
}
