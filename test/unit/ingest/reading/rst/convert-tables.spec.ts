import { convertRst } from '../../../../../src/ingest/reading/rst/read-rst.js';

const markdown = (...lines: readonly string[]): string =>
  convertRst(lines.join('\n'))
    .lines.map(({ text }) => text)
    .join('\n')
    .trim();

describe('tables of reStructuredText', () => {
  it('reads a grid table and joins the lines of a cell', () => {
    const grid = [
      '+----+-----+',
      '| A  | B   |',
      '+====+=====+',
      '| 1  | x   |',
      '|    | y|z |',
      '+----+-----+',
    ];
    expect(markdown(...grid)).toBe('| A | B |\n| --- | --- |\n| 1 | x y\\|z |');
  });

  it('puts a cell that spans columns into the first of them', () => {
    const grid = ['+---+---+', '| a | b |', '+---+---+', '| both  |', '+---+---+'];
    expect(markdown(...grid)).toBe('|  |  |\n| --- | --- |\n| a | b |\n| both |  |');
  });

  it('keeps cells of signs', () => {
    const grid = ['+---+----+', '| - | -- |', '+---+----+', '| + | =  |', '+---+----+'];
    expect(markdown(...grid)).toBe('|  |  |\n| --- | --- |\n| - | -- |\n| + | = |');
  });

  it('has a value in each row that its cell spans', () => {
    const grid = ['+---+---+', '| a | b |', '|   +---+', '|   | c |', '+---+ d |', '| e |   |', '+---+---+'];
    expect(markdown(...grid)).toBe('|  |  |\n| --- | --- |\n| a | b |\n| a | c d |\n| e | c d |');
  });

  it('keeps the ends of cells that are not below the border', () => {
    const grid = [
      '+------+------+',
      '| 名前 | 用途 |',
      '+------+------+',
      '| a | long text |',
      '+------+------+',
    ];
    expect(markdown(...grid)).toBe('|  |  |\n| --- | --- |\n| 名前 | 用途 |\n| a | long text |');
  });

  it('keeps the end of a last cell that is too wide', () => {
    const grid = ['+---+---+', '| a | b|c wide |', '+---+---+'];
    expect(markdown(...grid)).toBe('|  |  |\n| --- | --- |\n| a | b\\|c wide |');
  });

  it('reads a simple table, whose rows continue where the first column is empty', () => {
    const simple = [
      '===== ======',
      'Name  Use',
      '===== ======',
      '``a`` first',
      '      line',
      'b     second',
      '===== ======',
    ];
    expect(markdown(...simple)).toBe('| Name | Use |\n| --- | --- |\n| `a` | first line |\n| b | second |');
  });

  it('reads a simple table without header', () => {
    expect(markdown('== ==', '1  2', '== ==')).toBe('|  |  |\n| --- | --- |\n| 1 | 2 |');
  });

  it('reads a row of many lines, for which quadratic time would be too long', () => {
    const table = markdown(`== ==\na  b\n${'   b\n'.repeat(250_000)}== ==`);
    expect(table.match(/b/g)).toHaveLength(250_001);
  });

  it('reads a list table with its title', () => {
    const list = [
      '.. list-table:: Valves',
      '   :header-rows: 1',
      '',
      '   * - Name',
      '     - Use',
      '   * - a',
      '     - two',
      '       lines',
    ];
    expect(markdown(...list)).toBe('Valves\n\n| Name | Use |\n| --- | --- |\n| a | two lines |');
  });

  it('keeps the text of directives in a list table', () => {
    const list = [
      '.. list-table::',
      '',
      '   * - a',
      '       .. note:: Turn it.',
      '     - .. code-block:: python',
      '',
      '          turn()',
    ];
    expect(markdown(...list)).toBe('|  |  |\n| --- | --- |\n| a Turn it. | turn() |');
  });

  it('reads comma-separated values with quotes', () => {
    const csv = ['.. csv-table::', '   :header: "Name", Use', '', '   a, "one, ""two"""', '   b, c'];
    expect(markdown(...csv)).toBe('| Name | Use |\n| --- | --- |\n| a | one, "two" |\n| b | c |');
  });
});
