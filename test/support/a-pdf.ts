/** Text on a page, from its lower left corner. */
export interface PdfText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  /** Default: 10. */
  readonly size?: number;
  /** F1 Times, F2 Times bold, F3 Courier. Default: F1. */
  readonly font?: 'F1' | 'F2' | 'F3';
}

export interface PdfPage {
  readonly texts?: readonly PdfText[];
  /** Operations after the texts. */
  readonly drawing?: string;
  /** Entries of the page's dictionary, such as `/Rotate 90`. */
  readonly entries?: string;
}

export interface PdfParts {
  readonly pages: readonly PdfPage[];
  /** Title and number of the page, from 1. */
  readonly outline?: readonly (readonly [string, number])[];
  readonly title?: string;
  /** Further entries of the catalog. */
  readonly catalog?: string;
  /** Further objects, by number from 500. The first can be a font, F4. */
  readonly objects?: readonly string[];
}

const escaped = (text: string): string => text.replace(/[\\()]/g, '\\$&');

export const showText = ({ x, y, text, size = 10, font = 'F1' }: PdfText): string =>
  `BT /${font} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped(text)}) Tj ET`;

export const stream = (content: string, entries = ''): string =>
  `<< /Length ${Buffer.byteLength(content, 'latin1')} ${entries} >>\nstream\n${content}\nendstream`;

/** A file of numbered objects with a table of their places. The first one is the catalog. */
export function pdfFile(objects: ReadonlyMap<number, string>, trailer = ''): Uint8Array {
  let file = '%PDF-1.7\n';
  const rows = [...objects]
    .sort(([a], [b]) => a - b)
    .map(([number, text]) => {
      const at = file.length;
      file += `${number} 0 obj\n${text}\nendobj\n`;
      return `${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
    });
  const start = file.length;
  const size = Math.max(...objects.keys()) + 1;
  file += `xref\n0 1\n0000000000 65535 f \n${rows.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}

const FONT = (name: string): string =>
  `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`;

/** The objects of a PDF, which tests can change. */
export function pdfObjects({
  pages,
  outline = [],
  title,
  catalog = '',
  objects = [],
}: PdfParts): Map<number, string> {
  const found = new Map<number, string>();
  const kids = pages.map((_, at) => `${100 + 2 * at} 0 R`);
  found.set(1, `<< /Type /Catalog /Pages 2 0 R ${outline.length > 0 ? '/Outlines 6 0 R' : ''} ${catalog} >>`);
  found.set(2, `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`);
  found.set(3, FONT('Times-Roman')).set(4, FONT('Times-Bold')).set(5, FONT('Courier'));
  if (title !== undefined) found.set(7, `<< /Title (${escaped(title)}) >>`);
  pages.forEach(({ texts = [], drawing = '', entries = '' }, at) => {
    const number = 100 + 2 * at;
    const fonts = '/Resources << /Font << /F1 3 0 R /F2 4 0 R /F3 5 0 R /F4 500 0 R >> >>';
    found.set(
      number,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${fonts} /Contents ${number + 1} 0 R ${entries} >>`,
    );
    found.set(number + 1, stream([...texts.map(showText), drawing].join('\n')));
  });
  if (outline.length > 0) {
    found.set(
      6,
      `<< /Type /Outlines /First 10 0 R /Last ${9 + outline.length} 0 R /Count ${outline.length} >>`,
    );
    outline.forEach(([name, page], at) => {
      const next = at + 1 < outline.length ? `/Next ${11 + at} 0 R` : '';
      const dest = `/Dest [${98 + 2 * page} 0 R /Fit]`;
      found.set(10 + at, `<< /Title (${escaped(name)}) /Parent 6 0 R ${next} ${dest} >>`);
    });
  }
  objects.forEach((text, at) => found.set(500 + at, text));
  return found;
}

/** A PDF of pages of 600 by 800 points. */
export const aPdf = (parts: PdfParts): Uint8Array =>
  pdfFile(pdfObjects(parts), parts.title === undefined ? '' : '/Info 7 0 R');

/** Lines of text below each other, 12 points apart. */
export const textLines = (
  lines: readonly string[],
  { x = 72, y = 700, ...style }: Partial<Omit<PdfText, 'text'>> = {},
): PdfText[] => lines.map((text, at) => ({ ...style, x, y: y - 12 * at, text }));

/** The lines of two columns that stand beside each other on a page. */
export const COLUMNS = {
  left: [
    'The inner quay is for short',
    'ships. It has four cranes',
    'and a depth of only four',
    'metres at low water, so',
    'long ships keep out.',
  ],
  right: [
    'The outer quay is for long',
    'ships. It has two cranes',
    'and a depth of ten metres',
    'at low water, so all the',
    'ships can enter.',
  ],
} as const;
