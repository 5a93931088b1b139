import { aPdf, COLUMNS, type PdfPage, type PdfText, textLines } from '../../../support/a-pdf.js';
import { convertFixture } from '../../../support/convert-fixture.js';
import { cpuMsOf } from '../../../support/growth.js';

const convert = (...pages: readonly PdfPage[]) => convertFixture('a.pdf', aPdf({ pages }));

const X = [72, 172, 272, 372];
const ROW = 20;

const line = (x0: number, y0: number, x1: number, y1: number): string => `${x0} ${y0} m ${x1} ${y1} l S`;

/** All lines of a table from its upper left corner. */
function gridLines(rows: number, top: number, xs: readonly number[] = X): string[] {
  const bottom = top - rows * ROW;
  const [left = 0, right = 0] = [xs[0], xs.at(-1)];
  return [
    ...Array.from({ length: rows + 1 }, (_, at) => line(left, top - at * ROW, right, top - at * ROW)),
    ...xs.map((x) => line(x, top, x, bottom)),
  ];
}

const cellTexts = (rows: readonly (readonly string[])[], top: number, xs: readonly number[] = X): PdfText[] =>
  rows.flatMap((row, r) => row.map((text, c) => ({ x: (xs[c] ?? 0) + 5, y: top - r * ROW - 14, text })));

const FEES = [
  ['Berth', 'Length', 'Fee'],
  ['Inner quay', '50 m', '40 EUR'],
  ['Outer quay', '100 m', '90 EUR'],
];
const FEES_TABLE =
  '| Berth | Length | Fee |\n| --- | --- | --- |\n| Inner quay | 50 m | 40 EUR |\n| Outer quay | 100 m | 90 EUR |';

const fees = (top: number): PdfText[] => cellTexts(FEES, top);

describe('a table that is drawn with lines', () => {
  it('keeps its cells, and its place between paragraphs', async () => {
    const { lines, pages } = await convert({
      texts: [
        ...fees(650),
        ...textLines(['Ships pay a fee for a day.'], { y: 700 }),
        ...textLines(['Boats pay nothing.'], { y: 560 }),
      ],
      drawing: gridLines(3, 650).join('\n'),
    });
    expect(lines).toEqual(['Ships pay a fee for a day.', FEES_TABLE, 'Boats pay nothing.']);
    expect(pages).toEqual([1, 1, 1]);
  });

  it('can have lines in pieces, and thin rectangles as lines', async () => {
    const pieces = X.slice(0, -1).flatMap((x) =>
      [0, 1, 2, 3].map((at) => `${x} ${650 - at * ROW} 99 0.5 re f`),
    );
    const sides = X.flatMap((x) => [0, 1, 2].map((at) => `${x} ${631 - at * ROW} 0.5 18 re f`));
    const { lines } = await convert({ texts: fees(650), drawing: [...pieces, ...sides].join('\n') });
    expect(lines).toEqual([FEES_TABLE]);
  });

  it('can be open at its sides', async () => {
    const inner = gridLines(3, 650).filter((_, at) => at !== 4 && at !== 7);
    const { lines } = await convert({ texts: fees(650), drawing: inner.join('\n') });
    expect(lines).toEqual([FEES_TABLE]);
  });

  it('is read cell by cell where cells have several lines', async () => {
    const { lines } = await convert({
      texts: [
        ...cellTexts([['Quay', 'Use']], 650, [72, 172]),
        ...textLines(['The inner', 'quay'], { x: 77, y: 616 }),
        ...textLines(['It is for short', 'ships and boats.'], { x: 177, y: 616 }),
      ],
      drawing: [
        ...[650, 630, 590].map((y) => line(72, y, 272, y)),
        ...[72, 172, 272].map((x) => line(x, 650, x, 590)),
      ].join('\n'),
    });
    expect(lines).toEqual([
      '| Quay | Use |\n| --- | --- |\n| The inner quay | It is for short ships and boats. |',
    ]);
  });

  it('has a row for each line of text if lines are only below its header', async () => {
    const bits = ['1', '2', '4', '8'].map((bit) => [bit, `quay ${bit}`]);
    const { lines } = await convert({
      texts: cellTexts([['Bit', 'Meaning'], ...bits], 650, [72, 172]),
      drawing: [
        ...[650, 630, 550].map((y) => line(72, y, 272, y)),
        ...[72, 172, 272].map((x) => line(x, 650, x, 550)),
      ].join('\n'),
    });
    expect(lines).toEqual([
      '| Bit | Meaning |\n| --- | --- |\n| 1 | quay 1 |\n| 2 | quay 2 |\n| 4 | quay 4 |\n| 8 | quay 8 |',
    ]);
  });

  it('has the text of a cell over several columns or rows in the first one', async () => {
    const { lines } = await convert({
      texts: [
        { x: 180, y: 636, text: 'Fees of a day and of a month' },
        ...cellTexts(
          [
            ['', 'Day', 'Month'],
            ['Inner', '40', '900'],
          ],
          630,
        ),
        { x: 77, y: 636, text: 'Quay' },
      ],
      drawing: [
        line(72, 650, 372, 650),
        line(172, 630, 372, 630),
        line(72, 610, 372, 610),
        line(72, 590, 372, 590),
        ...[72, 172, 372].map((x) => line(x, 650, x, 590)),
        line(272, 630, 272, 590),
      ].join('\n'),
    });
    expect(lines).toEqual([
      '| Quay | Fees of a day and of a month |  |\n| --- | --- | --- |\n|  | Day | Month |\n| Inner | 40 | 900 |',
    ]);
  });

  it('keeps each word once, also dots and words over lines', async () => {
    const words = Array.from({ length: 40 }, (_, at) => `word${at}`);
    const texts = words.map((text, at) => ({ x: 60 + ((at * 37) % 330), y: 660 - at * 2.5, text }));
    const { lines } = await convert({
      texts: [...texts, { x: 77, y: 636, text: '.....' }],
      drawing: gridLines(4, 650).join('\n'),
    });
    const found = lines.join(' ').match(/word\d+/g) ?? [];
    expect([...found].sort()).toEqual([...words].sort());
    expect(lines.join(' ')).toContain('.....');
  });

  it('is one of two on a page, which stay apart', async () => {
    const { lines } = await convert({
      texts: [...fees(700), ...textLines(['And again:'], { y: 610 }), ...fees(600)],
      drawing: [...gridLines(3, 700), ...gridLines(3, 600)].join('\n'),
    });
    expect(lines).toEqual([FEES_TABLE, 'And again:', FEES_TABLE]);
  });

  it('is read in its column', async () => {
    const { left, right } = COLUMNS;
    const xs = [72, 122, 190];
    const { lines } = await convert({
      texts: [
        ...textLines([...left, ...left], { y: 600 }),
        ...textLines([...right, ...right, ...right], { x: 220 }),
        ...cellTexts(
          [
            ['Quay', 'Ships'],
            ['Inner', 'short'],
          ],
          690,
          xs,
        ),
        ...textLines(left, { y: 720 + 48 }),
      ],
      drawing: gridLines(2, 690, xs).join('\n'),
    });
    expect(lines[1]).toBe('| Quay | Ships |\n| --- | --- |\n| Inner | short |');
    expect(lines.slice(2).join(' ')).toBe([...left, ...left, ...right, ...right, ...right].join(' '));
  });

  it('does not repeat a header of pages, though it is at the same place on each', async () => {
    const page = (fee: string): PdfPage => ({
      texts: [
        ...cellTexts([...FEES, ['Roads', '300 m', fee], ['Lock', '', fee]], 780),
        ...textLines([`It is ${fee}.`]),
      ],
      drawing: gridLines(5, 780).join('\n'),
    });
    const { lines } = await convert(page('10 EUR'), page('20 EUR'), page('30 EUR'));
    expect(lines.filter((text) => text.startsWith('| Berth'))).toHaveLength(3);
  });

  it.each([
    ['a box', 1, [72, 372]],
    ['a row of boxes', 1, X],
    ['a column of boxes', 3, [72, 372]],
  ])('is not %s', async (_, rows, xs) => {
    const { lines } = await convert({
      texts: textLines(['Ships pay a fee for each day.'], { y: 636, x: 77 }),
      drawing: gridLines(rows, 650, xs).join('\n'),
    });
    expect(lines).toEqual(['Ships pay a fee for each day.']);
  });

  it('is read where the page is turned', async () => {
    const { lines } = await convert({
      texts: fees(650),
      drawing: gridLines(3, 650).join('\n'),
      entries: '/Rotate 90',
    });
    expect(lines).toEqual([FEES_TABLE]);
  });

  it.each([
    ['lines in one path', (cell: string[]) => `${cell.join(' ')} S`],
    ['lines', (cell: string[]) => cell.map((one) => `${one} S`).join(' ')],
  ])('is no table, and ends soon: 100,000 %s', async (_, draw) => {
    const many = Array.from({ length: 100_000 }, (__, at) => {
      const [x, y] = [(at * 7) % 600, (at * 13) % 800];
      return at % 2 === 0 ? `${x} 0 m ${x} 800 l` : `0 ${y + at / 1e5} m 600 ${y + at / 1e5} l`;
    });
    const ms = await cpuMsOf(async () => {
      const { lines } = await convert({ texts: textLines(['Ships pay a fee.']), drawing: draw(many) });
      expect(lines).toEqual(['Ships pay a fee.']);
    });
    expect(ms).toBeLessThan(10_000);
  });
});
