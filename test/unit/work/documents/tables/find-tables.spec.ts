import { findTables, type TextSyntax } from '../../../../../src/work/documents/tables/find-tables.js';

const table = (text: string, syntax: TextSyntax = 'markdown') => findTables(text, syntax)[0];
const cells = (text: string, syntax: TextSyntax = 'markdown') =>
  findTables(text, syntax).map(({ header, rows }) => [...header, ...rows]);

describe('findTables in Markdown', () => {
  it.each([
    [
      'escaped pipes',
      '| a | b |\n|---|---|\n| x \\| y | `p\\|q` |',
      [
        ['a', 'b'],
        ['x | y', 'p|q'],
      ],
    ],
    [
      'a pipe in code, which splits the cell as GFM says',
      '| a | b |\n|---|---|\n| `x|y` |',
      [
        ['a', 'b'],
        ['`x', 'y`'],
      ],
    ],
    [
      'missing cells',
      '| a | b |\n|---|---|\n| 1 |',
      [
        ['a', 'b'],
        ['1', ''],
      ],
    ],
    ['cells beyond the header, which are ignored', '| a |\n|---|\n| 1 | 2 |', [['a'], ['1']]],
    [
      'no outer pipes',
      'a | b\n--|--\n1 | 2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'alignment',
      '| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |',
      [
        ['a', 'b', 'c'],
        ['1', '2', '3'],
      ],
    ],
    ['a table without rows', '| a | b |\n|---|---|', [['a', 'b']]],
    ['a table in a list', '- item\n\n  | a |\n  |---|\n  | 1 |', [['a'], ['1']]],
    ['a table in a quotation', '> | a |\n> |---|\n> | 1 |\n\nend', [['a'], ['1']]],
    [
      'marks, links, images and breaks',
      '| **a** | [b](c.md) | ![d](e.png) | f<br>g |\n|-|-|-|-|',
      [['a', 'b', 'd', 'f\ng']],
    ],
    ['entities and an address', '| &lt;a&gt; | <https://x.y/%60> |\n|-|-|', [['<a>', 'https://x.y/%60']]],
    [
      'invisible characters',
      '| a&#8203;b |\n|-|\n| c\u{200B}d |',
      [['ab'], ['c\u{200B}d'.replace('\u{200B}', '')]],
    ],
    ['a row that ends at a blank line', '| a |\n|-|\n| 1 |\n\n| 2 |', [['a'], ['1']]],
  ])('reads %s', (_, text, expected) => {
    expect(cells(text)).toEqual([expected]);
  });

  it.each([
    ['a delimiter row of another width', '| a | b |\n|---|\n| 1 | 2 |'],
    ['a fence', '```\n| a |\n|---|\n| 1 |\n```'],
    ['a comment', '<!--\n| a |\n|---|\n\n<table><tr><td>1</table>\n-->'],
    ['front matter', '---\na: |\n  | a |\n  |---|\n---\ntext'],
  ])('finds no table in %s', (_, text) => {
    expect(findTables(text, 'markdown')).toEqual([]);
  });

  it('tells the lines, the offsets and the line before as caption', () => {
    const text = '---\nt: 1\n---\n# A\n\nThe limits:\n\n| a |\n|---|\n| 1 |\n\nend';
    const found = table(text);
    expect(found).toMatchObject({
      syntax: 'markdown',
      firstLine: 8,
      lastLine: 10,
      caption: { text: 'The limits:', from: 'line' },
    });
    expect(text.slice(found?.start, found?.end)).toBe('| a |\n|---|\n| 1 |');
  });

  it('takes no sentence as a caption', () => {
    expect(table('It is so.\n\n| a |\n|---|')?.caption).toBeNull();
  });

  it('reads raw HTML with blank lines and Markdown between its tags', () => {
    const text = 'a\n\n<table>\n<tr><td>\n\n**x** `y`\n\n</td><td>z</td></tr>\n</table>\n\nb';
    const found = table(text);
    expect(found).toMatchObject({ syntax: 'html', rows: [['x y', 'z']], firstLine: 3, lastLine: 9 });
    expect(text.slice(found?.start, found?.end)).toBe(text.slice(3, -3));
  });

  it('lists a nested table after the one around it, whose cell leaves it out', () => {
    const text = '<table><tr><td>a <table><tr><td>b</td></tr></table></td></tr></table>';
    expect(cells(text)).toEqual([[['a']], [['b']]]);
  });
});

describe('findTables in HTML', () => {
  it.each([
    [
      'column spans',
      '<tr><th colspan=2>a<th>b<tr><td>1<td>2<td>3',
      [
        ['a', 'a', 'b'],
        ['1', '2', '3'],
      ],
    ],
    [
      'row spans',
      '<tr><td rowspan=2>a<td>1<tr><td>2',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    [
      'both at once',
      '<tr><td rowspan=2 colspan=2>a<td>1<tr><td>2',
      [
        ['a', 'a', '1'],
        ['a', 'a', '2'],
      ],
    ],
    [
      'a row span of 0, to the end of the group',
      '<tr><td rowspan=0>a<td>1<tr><td>2<tbody><tr><td>3<td>4',
      [
        ['a', '1'],
        ['a', '2'],
        ['3', '4'],
      ],
    ],
    [
      'a row span beyond the group, which ends with it',
      '<thead><tr><th rowspan=9>a<tbody><tr><td>1',
      [['a'], ['1']],
    ],
    ['a column span of 0, which counts as 1', '<tr><td colspan=0>a<td>b', [['a', 'b']]],
    ['spans that are not numbers', '<tr><td colspan=x rowspan=-2>a<td>b', [['a', 'b']]],
    [
      'a cell below a row span, which moves right',
      '<tr><td>a<td rowspan=2>b<tr><td>1<td>2',
      [
        ['a', 'b', ''],
        ['1', 'b', '2'],
      ],
    ],
    [
      'rows of several lengths',
      '<tr><td>a<tr><td>1<td>2',
      [
        ['a', ''],
        ['1', '2'],
      ],
    ],
    ['a foot before the body', '<tfoot><tr><td>z</tfoot><tr><td>a', [['a'], ['z']]],
    ['an empty row, which is left out', '<tr></tr><tr><td>a', [['a']]],
    [
      'paragraphs, lists and code',
      '<tr><td><p>a</p><ul><li>b<li>c</ul><pre>d\n e</pre>',
      [['a\nb\nc\nd\ne']],
    ],
  ])('reads %s', (_, rows, expected) => {
    expect(cells(`<p>x</p><table>${rows}</table>`, 'html')).toEqual([expected]);
  });

  it('takes the head as the header, or leading rows of header cells', () => {
    expect(table('<table><thead><tr><td>a<tr><td>b<tbody><tr><td>1</table>', 'html')?.header).toEqual([
      ['a'],
      ['b'],
    ]);
    expect(table('<table><tr><th>a<tr><th>b<tr><th>c<td>1</table>', 'html')?.header).toEqual([
      ['a', ''],
      ['b', ''],
    ]);
    expect(table('<table><tr><th>a<td>1</table>', 'html')?.header).toEqual([]);
  });

  it('takes the caption of the element or of its figure', () => {
    expect(table('<table><caption>A <b>b</b></caption><tr><td>1</table>', 'html')?.caption?.text).toBe('A b');
    expect(
      table('<figure><table><tr><td>1</table><figcaption>F</figcaption></figure>', 'html')?.caption?.text,
    ).toBe('F');
  });

  it('tells exact offsets', () => {
    const text = '<p>x</p>\n<table>\n<tr><td>1</td></tr></table>';
    const found = table(text, 'html');
    expect(found).toMatchObject({ firstLine: 2, lastLine: 3 });
    expect(text.slice(found?.start, found?.end)).toBe(text.slice(9));
  });

  it('leaves out tables that only lay out a page', () => {
    expect(findTables('<table role="presentation"><tr><td>1</table>', 'html')).toEqual([]);
  });

  it('keeps a table that spans explode within bounds, and says so', () => {
    const rows = '<tr><td colspan=1000 rowspan=65534>a'.repeat(2) + '<tr><td>b'.repeat(20_000);
    const found = table(`<table>${rows}</table>`, 'html');
    expect(found?.isCut).toBe(true);
    expect((found?.columns ?? 0) * (found?.rows.length ?? 0)).toBeLessThanOrEqual(50_000);
  });

  it('refuses HTML whose unclosed elements would explode', () => {
    const opened = Array.from({ length: 25 }, (_, i) => `<b id=${i}></i>`).join('');
    expect(() => findTables(`<p>${opened}${'<p>x'.repeat(10_000)}<table>`, 'html')).toThrow('unclosed');
  });
});

describe('findTables in other formats', () => {
  it('reads MDX: tables in components, and tags of JSX', () => {
    const text =
      '---\na: 1\n---\n<Tab title="x">\n  | a |\n  |---|\n  | 1 |\n</Tab>\n<table>\n<tr><td rowSpan={2}>x</td><td>`c`</td></tr>\n<tr><td>y</td></tr>\n</table>\n';
    expect(findTables(text, 'mdx')).toMatchObject([
      { syntax: 'markdown', header: [['a']], rows: [['1']], firstLine: 5, lastLine: 7 },
      {
        syntax: 'html',
        rows: [
          ['x', 'c'],
          ['x', 'y'],
        ],
        firstLine: 9,
        lastLine: 12,
      },
    ]);
  });

  it('reads converted Markdown, in which a tag is text', () => {
    expect(cells('| List<T> |\n|---|\n| <b>x</b> |', 'converted')).toEqual([[['List<T>'], ['<b>x</b>']]]);
  });

  it('finds nothing in plain text', () => {
    expect(findTables('| a |\n|---|\n| 1 |', 'text')).toEqual([]);
  });
});

describe('findTables in reStructuredText', () => {
  it('finds the tables of MyST, with their lines', () => {
    const text =
      '---\ntitle: T\n---\n\n```{list-table} Sizes\n:header-rows: 1\n\n* - A\n  - B\n* - 1\n  - x|y\n```\n';
    expect(findTables(text, 'markdown')).toMatchObject([
      { header: [['A', 'B']], rows: [['1', 'x|y']], firstLine: 8, lastLine: 10 },
    ]);
  });

  it('finds drawn tables, with the lines of the source', () => {
    const text = 'Valves\n======\n\n== ====\nA  B\n== ====\n1  x|y\n== ====\n';
    expect(findTables(text, 'rst')).toMatchObject([
      { header: [['A', 'B']], rows: [['1', 'x|y']], firstLine: 5, lastLine: 7 },
    ]);
  });
});
