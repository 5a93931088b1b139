import { createCipheriv } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { aPdf, pdfFile, pdfObjects, type PdfParts, stream, textLines } from './a-pdf.js';

const TEXT = ['Ships wait at the quay.', 'They leave at high water.'];
const PAGE = { texts: textLines(TEXT) };
const ONE: PdfParts = { pages: [PAGE] };

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const latin1 = (data: Uint8Array): string => Buffer.from(data).toString('latin1');

/** A PDF of one page with some objects replaced. */
const changed = (objects: Readonly<Record<number, string>>, parts: PdfParts = ONE): Uint8Array => {
  const found = pdfObjects(parts);
  for (const [number, text] of Object.entries(objects)) found.set(Number(number), text);
  return pdfFile(found);
};

const packed = (content: Uint8Array | string, filters = '/FlateDecode'): string =>
  stream(typeof content === 'string' ? content : latin1(content), `/Filter ${filters}`);

/** Content of a page that unpacks to a number of megabytes. */
const bomb = (megabytes: number): Uint8Array => deflateSync(Buffer.alloc(megabytes * 1_000_000, 0x20));

const page = (entries: string): string =>
  `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 101 0 R ${entries} >>`;

const form = (name: string, target: number, content = `/${name} Do`): string =>
  stream(
    content,
    `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /${name} ${target} 0 R >> >>`,
  );

/** Each level draws the next one ten times. */
function billionForms(): Uint8Array {
  const levels = Object.fromEntries(
    Array.from({ length: 12 }, (_, at) => [500 + at, form('F', 501 + at, '/F Do '.repeat(10))]),
  );
  return changed({
    100: page('/Resources << /XObject << /F 500 0 R >> >>'),
    101: stream('/F Do'),
    ...levels,
    512: form('F', 512, '0 0 m'),
  });
}

const type3 = (glyph: string): string =>
  `<< /Type /Font /Subtype /Type3 /FontBBox [0 0 9 9] /FontMatrix [.001 0 0 .001 0 0] /CharProcs << /a 502 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [500] /Resources << /Font << /F1 501 0 R >> >> ${glyph} >>`;

const nestedArray = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

const good = latin1(aPdf(ONE));

/** RC4 with a password that nobody knows: the check of the empty one fails. */
const ENCRYPTED = good.replace(
  '/Root 1 0 R',
  `/Root 1 0 R /ID [<00><00>] /Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -4 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> >>`,
);

/** Files that were made to stop or to take over a reader, by what they do. */
export const HOSTILE_PDFS: Readonly<Record<string, () => Uint8Array>> = {
  'an empty file': () => bytes(''),
  'another format': () => bytes('<html>no PDF</html>'),
  'a header only': () => bytes('%PDF-1.7\n'),
  'random bytes': () =>
    createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(200_000)),
  'a torn file': () => bytes(good.slice(0, good.length / 2)),
  'a wrong table of places': () => bytes(good.replace(/\d{10} 00000 n/g, '9999999999 00000 n')),
  'a start of the table beyond the file': () => bytes(good.replace(/startxref\n\d+/, 'startxref\n99999999')),
  'a table that follows itself': () =>
    bytes(good.replace('/Root 1 0 R', `/Root 1 0 R /Prev ${good.lastIndexOf('xref\n0')}`)),
  'a catalog that is missing': () => bytes(good.replace('/Root 1 0 R', '/Root 77 0 R')),
  'a page tree that contains itself': () =>
    changed({ 2: '<< /Type /Pages /Count 3 /Kids [2 0 R 2 0 R 2 0 R] >>' }),
  'a page tree without an end': () =>
    changed(
      Object.fromEntries(
        Array.from({ length: 3_000 }, (_, at) => [
          at === 0 ? 2 : 999 + at,
          `<< /Type /Pages /Count 1 /Kids [${1000 + at} 0 R] >>`,
        ]),
      ),
    ),
  'a billion pages': () => changed({ 2: '<< /Type /Pages /Count 1000000000 /Kids [100 0 R] >>' }),
  'a negative number of pages': () => changed({ 2: '<< /Type /Pages /Count -5 /Kids [100 0 R] >>' }),
  'pages that are missing': () => changed({ 2: '<< /Type /Pages /Count 4000 /Kids [100 0 R] >>' }),
  'an outline that follows itself': () =>
    changed(
      {
        6: '<< /First 10 0 R /Last 10 0 R >>',
        10: '<< /Title (A) /Parent 6 0 R /Next 10 0 R /First 10 0 R /Dest [100 0 R /Fit] >>',
      },
      { ...ONE, outline: [['A', 1]] },
    ),
  'an outline with a million entries of one object': () =>
    changed(
      {
        6: '<< /First 10 0 R >>',
        10: '<< /Title (A) /First 11 0 R /Next 11 0 R >>',
        11: '<< /Title (B) /First 10 0 R /Next 10 0 R >>',
      },
      { ...ONE, outline: [['A', 1]] },
    ),
  'an object that stands for itself': () => changed({ 100: '100 0 R' }),
  'a length that stands for itself': () =>
    changed({ 101: '<< /Length 101 0 R >>\nstream\nBT ET\nendstream' }),
  'a length that is a lie': () =>
    changed({ 101: '<< /Length 999999999 >>\nstream\nBT /F1 9 Tf (a) Tj ET\nendstream' }),
  'content that unpacks to a gigabyte': () => changed({ 101: packed(bomb(1_000)) }),
  'content that was packed twice': () =>
    changed({ 101: packed(deflateSync(bomb(4_000)), '[/FlateDecode /FlateDecode]') }),
  'a table of places that unpacks to a gigabyte': () =>
    bytes(
      `%PDF-1.7\n1 0 obj\n${stream(latin1(bomb(1_000)), '/Type /XRef /Size 200000000 /W [1 2 1] /Root 1 0 R /Filter /FlateDecode')}\nendobj\nstartxref\n9\n%%EOF`,
    ),
  'a form that draws itself': () =>
    changed({
      100: page('/Resources << /XObject << /F 500 0 R >> >>'),
      101: stream('/F Do'),
      500: form('F', 500),
    }),
  'forms that draw a trillion forms': billionForms,
  'a font whose letters are written in itself': () =>
    changed({
      100: page('/Resources << /Font << /F1 501 0 R >> >>'),
      101: stream('BT /F1 9 Tf (aaa) Tj ET'),
      501: type3(''),
      502: stream('500 0 d0 BT /F1 9 Tf (a) Tj ET'),
    }),
  'arrays in arrays': () => changed({ 7: nestedArray(200_000), 101: stream(`${nestedArray(200_000)} TJ`) }),
  'dictionaries in dictionaries': () =>
    changed({ 1: `<< /Type /Catalog /Pages 2 0 R /X ${'<< /X '.repeat(100_000)}${'>> '.repeat(100_000)}>>` }),
  'a state that is saved a million times': () => changed({ 101: stream('q '.repeat(1_000_000)) }),
  'a million letters': () => changed({ 101: stream(`BT /F1 9 Tf ${'(a) Tj 1 1 Td '.repeat(300_000)} ET`) }),
  'a picture of a terapixel': () =>
    changed({
      100: page('/Resources << /XObject << /I 500 0 R >> >>'),
      101: stream('/I Do'),
      500: stream(
        'x',
        '/Subtype /Image /Width 1000000 /Height 1000000 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
      ),
    }),
  'a font of ten million letters': () =>
    changed({
      3: '<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [500 0 R] /ToUnicode 501 0 R >>',
      500: '<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A /W [0 10000000 500] /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>',
      501: stream(
        'begincmap 1 begincodespacerange <00000000> <FFFFFFFF> endcodespacerange 1 beginbfrange <00000000> <FFFFFFFF> <0041> endbfrange endcmap',
      ),
    }),
  'a program to start': () =>
    aPdf({ ...ONE, catalog: '/OpenAction << /S /Launch /F (touch) /P (/tmp/launched) >>' }),
  'a script': () =>
    aPdf({
      ...ONE,
      catalog:
        '/OpenAction << /S /JavaScript /JS (while(true){}) >> /Names << /JavaScript << /Names [(a) << /S /JavaScript /JS (while(true){}) >>] >> >>',
    }),
  'a function with code': () =>
    changed({
      100: page(
        '/Resources << /ColorSpace << /C [/Separation /A /DeviceGray 500 0 R] >> /Font << /F1 3 0 R >> >>',
      ),
      101: stream('/C cs 1 scn BT /F1 9 Tf (a) Tj ET'),
      500: stream('{ { dup } loop }', '/FunctionType 4 /Domain [0 1] /Range [0 1]'),
    }),
  'a file in the file': () =>
    aPdf({
      ...ONE,
      catalog: '/Names << /EmbeddedFiles << /Names [(a.exe) << /F (a.exe) /EF << /F 500 0 R >> >>] >> >>',
      objects: [stream('MZ')],
    }),
  'a file on the network': () =>
    aPdf({
      ...ONE,
      catalog:
        '/OpenAction << /S /GoToR /F (\\\\\\\\127.0.0.1\\\\x) >> /URI << /Base (http://127.0.0.1:9/) >>',
    }),
  'a password': () => bytes(ENCRYPTED),
  'a form of XFA with an entity': () =>
    aPdf({
      ...ONE,
      catalog: '/AcroForm << /XFA 500 0 R /Fields [] >>',
      objects: [stream('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><xdp>&b;</xdp>')],
    }),
};
