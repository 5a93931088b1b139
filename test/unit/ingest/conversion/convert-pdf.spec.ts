import { aPdf, COLUMNS, textLines } from '../../../support/a-pdf.js';
import { convertFixture } from '../../../support/convert-fixture.js';
import { cpuMsOf } from '../../../support/growth.js';

const convert = (parts: Parameters<typeof aPdf>[0]) => convertFixture('a.pdf', aPdf(parts));

const MOORING = [
  'Ships of up to fifty metres moor at the inner quay, where the depth is four metres at',
  'low water. Longer ships moor at the outer quay, and ask the harbour office for a pilot',
  'before they enter.',
];

describe('convertPdf', () => {
  it('joins the lines of a paragraph, and keeps paragraphs apart', async () => {
    const { lines } = await convert({
      pages: [{ texts: [...textLines(MOORING), ...textLines(['A second paragraph.'], { y: 640 })] }],
    });
    expect(lines).toEqual([MOORING.join(' '), 'A second paragraph.']);
  });

  it('takes headings from the outline, and names their pages', async () => {
    const { lines, pages } = await convert({
      title: 'Harbour handbook',
      outline: [
        ['Mooring', 1],
        ['Leaving', 2],
        ['Fees', 2],
      ],
      pages: [
        { texts: [...textLines(['1 Mooring'], { y: 740 }), ...textLines(MOORING)] },
        { texts: [...textLines(['2 Leaving'], { y: 740 }), ...textLines(['Ships leave at high water.'])] },
      ],
    });
    expect(lines).toEqual([
      '## 1 Mooring',
      MOORING.join(' '),
      '## 2 Leaving',
      '## Fees',
      'Ships leave at high water.',
    ]);
    expect(pages).toEqual(['page=1', 1, 'page=2', 'page=2', 2]);
  });

  it('takes headings from the size and weight of text without an outline', async () => {
    const { title, lines } = await convert({
      pages: [
        {
          texts: [
            ...textLines(['Harbour handbook'], { y: 760, size: 24 }),
            ...textLines(['1 Berths'], { y: 730, size: 16 }),
            ...textLines(MOORING),
            ...textLines(['1.1 Fees'], { y: 640, font: 'F2' }),
            ...textLines(MOORING, { y: 620 }),
            ...textLines(['2 Storms'], { y: 560, size: 16 }),
            ...textLines(MOORING, { y: 540 }),
          ],
        },
      ],
    });
    expect(title).toBe('Harbour handbook');
    expect(lines.filter((line) => line.startsWith('#'))).toEqual([
      '# Harbour handbook',
      '## 1 Berths',
      '### 1.1 Fees',
      '## 2 Storms',
    ]);
  });

  it('reads columns one after the other, and text over both before them', async () => {
    const { lines } = await convert({
      pages: [
        {
          texts: [
            ...textLines(
              ['Quays of the harbour and which ships can moor at them, in the order of their depth.'],
              { y: 740 },
            ),
            ...textLines(COLUMNS.left, { x: 72 }),
            ...textLines(COLUMNS.right, { x: 220 }),
          ],
        },
      ],
    });
    expect(lines.slice(1)).toEqual([COLUMNS.left.join(' '), COLUMNS.right.join(' ')]);
  });

  it('reads a table without lines row by row, also if its cells are numbers, and makes no heading of its header', async () => {
    const rows = Array.from({ length: 10 }, (_, at) => [at + 1, 2 * at + 20, 3 * at + 40].map(String));
    const cells = ([a = '', b = '', c = '']: readonly string[], y: number, font: 'F1' | 'F2' = 'F1') =>
      [a, b, c].map((text, at) => ({ x: 72 + 100 * at, y, text, font }));
    const header = cells(['Berth', 'Depth', 'Length of ships'], 700, 'F2');
    const intro = textLines(['Depths of all berths of the harbour, and ships that can moor at them.'], {
      y: 730,
    });
    const table = rows.flatMap((row, at) => cells(row, 684 - 14 * at));
    const { lines } = await convert({ pages: [{ texts: [...intro, ...header, ...table] }] });
    const text = lines.join(' ');
    expect(text).toContain('Berth Depth Length of ships');
    expect(text).not.toContain('# Berth');
    expect(lines.join('\n')).toMatch(/\n1 20 40 *\n2 22 43 *\n/);
  });

  it('joins words that a line breaks, and keeps hyphens that are used elsewhere', async () => {
    const { lines } = await convert({
      pages: [
        {
          texts: textLines([
            'A ship with a well-known owner needs no de-',
            'posit. The owner of a well-',
            'known ship pays later. The deposit is 40 EUR.',
          ]),
        },
      ],
    });
    expect(lines).toEqual([
      'A ship with a well-known owner needs no deposit. The owner of a well-known ship pays later. The deposit is 40 EUR.',
    ]);
  });

  const runningPage = (number: number, text: readonly string[]) => ({
    texts: [
      ...textLines(['Harbour handbook 4.2'], { y: 770 }),
      ...textLines(text),
      ...textLines([`Page ${number}`], { y: 30 }),
    ],
  });

  it('keeps a header that repeats once, and leaves out numbers of pages', async () => {
    const texts = ['Berths are free in May.', 'Cranes are closed at night.', 'Fees are due in June.'];
    const { lines, pages, leftOut } = await convert({
      pages: texts.map((text, at) => runningPage(at + 1, [text])),
    });
    expect(lines).toEqual([texts[0], 'Harbour handbook 4.2', ...texts.slice(1)]);
    expect(pages).toEqual([1, 1, 2, 3]);
    expect(leftOut).toEqual(['page numbers, and headers and footers that repeat, of 3 pages are left out']);
  });

  it('keeps a header that is a date once, and leaves out numbers of pages without words', async () => {
    const texts = ['Berths are free in May.', 'Cranes are closed at night.', 'Fees are due in June.'];
    const { lines } = await convert({
      pages: texts.map((text, at) => ({
        texts: [
          ...textLines(['2024-05-01'], { y: 770 }),
          ...textLines([text]),
          ...textLines([`- ${at + 1} / 3 -`], { y: 30 }),
        ],
      })),
    });
    expect(lines).toEqual([texts[0], '2024-05-01', ...texts.slice(1)]);
  });

  it('continues a paragraph over a header that it keeps', async () => {
    const { lines } = await convert({
      pages: [
        runningPage(1, MOORING.slice(0, 2)),
        runningPage(2, MOORING.slice(2)),
        runningPage(3, ['Fees are due in June.']),
      ],
    });
    expect(lines).toEqual([MOORING.join(' '), 'Harbour handbook 4.2', 'Fees are due in June.']);
  });

  it('does not repeat a heading that is the header of other pages, or make a header one', async () => {
    const page = (header: string, text: readonly string[]) => ({
      texts: [...textLines([header], { y: 770, size: 16 }), ...text.flatMap((line) => textLines([line]))],
    });
    const { lines } = await convert({
      outline: [['Mooring', 1]],
      pages: [
        { texts: [...textLines(['1 Mooring'], { y: 600, size: 16 }), ...textLines(MOORING, { y: 560 })] },
        page('1 MOORING', ['Berths are free in May.']),
        page('1 MOORING', ['Cranes are closed at night.']),
        page('1 MOORING', ['Fees are due in June.']),
        page('HARBOUR OFFICE', ['Pilots wait at sea.']),
        page('HARBOUR OFFICE', ['Tugs wait at the quay.']),
        page('HARBOUR OFFICE', ['Boats wait for nobody.']),
      ],
    });
    expect(lines.filter((line) => /mooring|office$/i.test(line))).toEqual(['## 1 Mooring', 'HARBOUR OFFICE']);
  });

  it('continues a paragraph on the next page', async () => {
    const { lines, pages } = await convert({
      pages: [
        { texts: textLines(MOORING.slice(0, 2), { y: 60 }) },
        { texts: textLines([...MOORING.slice(2), 'They pay a fee.']) },
      ],
    });
    expect(lines).toEqual([`${MOORING.join(' ')} They pay a fee.`]);
    expect(pages).toEqual([1]);
  });

  it('reads a lowered letter as a part of its word', async () => {
    const texts = [
      { x: 72, y: 700, text: 'By T' },
      { x: 90.6, y: 697.2, text: 'E' },
      { x: 95.5, y: 700, text: 'X, which sets the pages of books.' },
    ];
    expect((await convert({ pages: [{ texts }] })).lines).toEqual(['By TEX, which sets the pages of books.']);
  });

  it.each([
    ['1 0 0 1', ''],
    ['-1 0 0 1', ' that is mirrored'],
    ['1 0 0 -1', ' that is upside down in a mirror'],
  ])('reads text from its top (%s)%s', async (matrix) => {
    const line = (text: string, y: number) => `BT /F1 10 Tf ${matrix} 300 ${y} Tm (${text}) Tj ET`;
    const down = matrix.endsWith('-1') ? -12 : 12;
    const drawing = MOORING.map((text, at) => line(text, 400 - down * at)).join('\n');
    expect((await convert({ pages: [{ drawing }] })).lines).toEqual([MOORING.join(' ')]);
  });

  it('keeps words apart that lie over each other', async () => {
    const drawing = 'BT /F1 10 Tf 72 700 Td (Harbour) Tj 12 0 Td (Quay) Tj ET';
    expect((await convert({ pages: [{ drawing }] })).lines).toEqual(['Harbour Quay']);
  });

  it('puts the accent of a formula over its letter, which is in another font', async () => {
    const texts = [
      { x: 72, y: 702, text: '\x98' },
      { x: 71.5, y: 700, text: 'x', font: 'F2' as const },
      { x: 82, y: 700, text: 'is the estimate.' },
    ];
    expect((await convert({ pages: [{ texts }] })).lines).toEqual(['x\u0303 is the estimate.']);
  });

  it('keeps lists, and code with its indentation', async () => {
    const { lines } = await convert({
      pages: [
        {
          texts: [
            ...textLines(MOORING, { y: 780 }),
            ...textLines(['1. Call the office.', '2. Wait for the pilot.'], { y: 700 }),
            ...textLines(['\x95 Ropes', '\x95 Fenders'], { y: 660, x: 90 }),
            ...textLines(['harbour book \\', '  --berth 7'], { y: 600, font: 'F3' }),
          ],
        },
      ],
    });
    expect(lines.slice(1)).toEqual([
      '1. Call the office.',
      '2. Wait for the pilot.\n   - Ropes\n   - Fenders',
      '```\nharbour book \\\n  --berth 7\n```',
    ]);
  });
});

it.each([
  ['with an encoding that it only names', '/GBK-EUC-H', 'GB1', 'B8DBBFDA', '港口'],
  ['with a collection of characters that it only names', '/Identity-H', 'Japan1', '038803730371', 'みなと'],
])('reads the text of a font %s', async (_, encoding, ordering, codes, text) => {
  const system = `/CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >>`;
  const look = '/FontDescriptor << /Type /FontDescriptor /FontName /Song /Flags 4 >>';
  const glyphs = `<< /Type /Font /Subtype /CIDFontType0 /BaseFont /Song ${system} ${look} >>`;
  const font = `<< /Type /Font /Subtype /Type0 /BaseFont /Song /Encoding ${encoding} /DescendantFonts [${glyphs}] >>`;
  const drawing = `BT /F4 10 Tf 72 700 Td <${codes}> Tj ET`;
  const { lines } = await convert({ pages: [{ drawing }], objects: [font] });
  expect(lines).toEqual([text]);
});

describe('fields of a form', () => {
  const field = (entries: string) =>
    `<< /Type /Annot /Subtype /Widget /F 4 /T (a) /Rect [172 695 300 712] /DA (/Helv 10 Tf) ${entries} >>`;
  const form = (entries: string, needs = false) =>
    convert({
      pages: [{ texts: textLines(['Berth:']), entries: '/Annots [500 0 R]' }],
      objects: [field(entries)],
      catalog: `/AcroForm << /Fields [500 0 R] /NeedAppearances ${needs} >>`,
    });

  it.each([
    ['text', '/FT /Tx /V (inner quay)', 'Berth: inner quay'],
    ['a choice', '/FT /Ch /Ff 131072 /Opt [(outer quay) (inner quay)] /V (inner quay)', 'Berth: inner quay'],
    ['a hidden text', '/FT /Tx /F 2 /V (inner quay)', 'Berth:'],
    ['a password', '/FT /Tx /Ff 8192 /V (inner quay)', 'Berth:'],
  ])('have their value if the file does not draw it: %s', async (_, entries, line) => {
    expect((await form(entries)).lines).toEqual([line]);
  });

  it('have their value once if the file asks viewers to draw it', async () => {
    expect((await form('/FT /Tx /V (inner quay)', true)).lines).toEqual(['Berth: inner quay']);
  });
});

describe('pages without text', () => {
  const scan = { drawing: 'q 600 0 0 800 0 0 cm BI /W 8 /H 8 /CS /G /BPC 8 ID ' + 'x'.repeat(64) + ' EI Q' };
  const written = { texts: textLines(MOORING) };

  it('are named as a problem with advice', async () => {
    const { problems, lines } = await convert({ pages: [written, scan, scan, written, scan] });
    expect(problems).toEqual([
      'pages 2–3, 5 have no text: scanned or drawn; add a text layer by OCR, for example with ocrmypdf',
    ]);
    expect(lines).toHaveLength(2);
  });

  it('are named too if their letters are drawn as shapes', async () => {
    const letter = (_: unknown, i: number) => `${20 + 5 * i} 700 m ${24 + 5 * i} 700 l ${22 + 5 * i} 707 l f`;
    const drawn = { drawing: Array.from({ length: 100 }, letter).join('\n') };
    const { problems } = await convert({ pages: [written, drawn] });
    expect(problems).toEqual([
      'page 2 has no text: scanned or drawn; add a text layer by OCR, for example with ocrmypdf',
    ]);
  });

  it('are no problem if they are few', async () => {
    const { problems, leftOut } = await convert({
      pages: [...Array<typeof written>(59).fill(written), scan],
    });
    expect(problems).toEqual([]);
    expect(leftOut[0]).toBe(
      'page 60 has no text: scanned or drawn; add a text layer by OCR, for example with ocrmypdf',
    );
  });

  it('are not named if they are empty', async () => {
    const { problems, leftOut } = await convert({ pages: [written, {}] });
    expect([problems, leftOut]).toEqual([[], []]);
  });

  it('refuse a document that has no others', async () => {
    await expect(convert({ pages: [scan, scan] })).rejects.toThrow(
      'it has no text: its pages are scanned or drawn; add a text layer by OCR, for example with ocrmypdf',
    );
  });
});

it('refuses a page with a million states in each other at once', async () => {
  const ms = await cpuMsOf(() =>
    expect(convert({ pages: [{ drawing: 'q '.repeat(1_000_000) }] })).rejects.toThrow(
      'page 1 has more than 5000 states in each other',
    ),
  );
  expect(ms).toBeLessThan(10_000);
});
