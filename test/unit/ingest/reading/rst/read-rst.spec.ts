import { convertRst, readRst } from '../../../../../src/ingest/reading/rst/read-rst.js';

const markdown = (...lines: readonly string[]): string =>
  convertRst(lines.join('\n'))
    .lines.map(({ text }) => text)
    .join('\n')
    .trim();

const headings = (text: string): unknown[] =>
  readRst(text).blocks.flatMap((block) =>
    block.kind === 'heading' ? [[block.level, block.title, block.line]] : [],
  );

describe('readRst', () => {
  it('orders the styles of titles by their first appearance', () => {
    const text = '=====\nGuide\n=====\n\nValves\n======\n\nBig\n---\n\nPumps\n=====\n';
    expect(headings(text)).toEqual([
      [1, 'Guide', 1],
      [2, 'Valves', 5],
      [3, 'Big', 8],
      [2, 'Pumps', 11],
    ]);
  });

  it.each([
    ['an underline that is too short', 'Long title of valves\n----', 'Long title of valves'],
    ['a short title', 'Abc\n~~~', 'Abc'],
    ['markup', '``turn_all()`` of #1 <b>\n========================', 'turn_all() of #1 <b>'],
    ['an indented title between lines', '*******\n Guide\n*******', 'Guide'],
  ])('reads a title with %s', (_, text, title) => {
    expect(readRst(text).blocks).toMatchObject([{ kind: 'heading', title }]);
  });

  it.each(['Long title\n--', 'a\n\n----\n\nb', '.. note::\n\n   Title\n   -----'])(
    'finds no title in %j',
    (text) => {
      expect(headings(text)).toEqual([]);
    },
  );

  it('gives each block its line in the source', () => {
    const text = 'Valves\n======\n\n.. note::\n\n   Turn it.\n\n* a\n* b\n\n::\n\n   code\n';
    expect(readRst(text).blocks).toMatchObject([
      { kind: 'heading', line: 1 },
      { kind: 'text', line: 4, text: '**Note:** Turn it.' },
      { kind: 'item', line: 8, text: '* a' },
      { kind: 'item', line: 9, text: '* b' },
      { kind: 'fence', text: '```\ncode\n```' },
    ]);
  });

  it.each([
    ['.. _valves: https://a.example/1', ''],
    ['.. _valves:', ''],
    ['__ https://a.example/1', ''],
    ['.. _valves:', '   https://a.example/1'],
  ])('keeps the quotation below %j', (target, more) => {
    expect(markdown(target, more, '', '  Turn it.')).toBe('Turn it.');
  });

  it('gives each anonymous link its own address', () => {
    const text = [
      '.. note:: See `one`__.',
      '',
      'Then `two`__.',
      '',
      '__ https://a.example/1',
      '__ https://a.example/2',
    ];
    expect(markdown(...text).split(/\n+/)).toEqual([
      '**Note:** See [one](https://a.example/1).',
      'Then [two](https://a.example/2).',
    ]);
  });

  it('gives labels the line of the block after them, and the id of docutils', () => {
    const { anchors } = readRst('.. _one:\n\nValves\n======\n\nText.\n\n.. _Two:\n\nMore.\n');
    expect(anchors).toEqual([
      { name: 'one', line: 3 },
      { name: 'two', line: 10 },
    ]);
  });

  it.each([
    [
      'a literal block',
      ['Turn::', '', '    a ``b``', '      c', '', 'End.'],
      'Turn:\n\n```\na ``b``\n  c\n```\n\nEnd.',
    ],
    ['a mark that disappears', ['Turn. ::', '', '    a'], 'Turn.\n\n```\na\n```'],
    ['a quoted literal block', ['::', '', '> a', '> b', '', 'End.'], '```\n> a\n> b\n```\n\nEnd.'],
    ['a literal block with a fence', ['::', '', '  ```', '  a'], '````\n```\na\n````'],
    ['a Python session', ['>>> turn()', '1', '', 'End.'], '```pycon\n>>> turn()\n1\n```\n\nEnd.'],
    ['nested lists', ['* a', '', '  1. b', '     c', '', '* d'], '* a\n\n  1. b\n     c\n* d'],
    ['code in a list', ['-  a::', '', '     b'], '- a:\n\n  ```\n  b\n  ```'],
    ['enumerations', ['a) one', 'b) two', '', '#. three'], '1. one\n2. two\n3. three'],
    ['written numbers', ['0. a', '1. b', '3. c'], '0. a\n1. b\n3. c'],
    ['letters from b on', ['b) two', 'c) three'], '2. two\n3. three'],
    ['Roman numerals', ['(iv) four', '(v) five'], '4. four\n5. five'],
    ['letters up to i', ['h. x', 'i. y', 'j. z'], '8. x\n9. y\n10. z'],
    ['an item of two lines', ['a. one', '   more'], '1. one\n   more'],
    ['a lone letter', ['E. coli is a bacterium.'], 'E. coli is a bacterium.'],
    ['a copyright', ['(c) 2020 Example Corp.'], '(c) 2020 Example Corp.'],
    ['a lone item', ['b) two'], 'b) two'],
    ['a name that is not an enumeration', ['A. Miller is', 'a person.'], 'A. Miller is\na person.'],
    ['definitions', ['valve', '  It turns.', '', '  More.'], '**valve**\nIt turns.\n\nMore.'],
    [
      'options',
      ['-v, --verbose  say more', '-q             say', '               less'],
      '- `-v, --verbose` say more\n- `-q` say\n  less',
    ],
    [
      'fields',
      ['Text.', '', ':Author: Me', ':Dates:', '   two', '   lines'],
      'Text.\n\n- Author: Me\n- Dates: two\n  lines',
    ],
    ['a line block', ['| one', '| two'], 'one\ntwo'],
    ['indented text', ['Text.', '', '   Said.', '', '   - a'], 'Text.\n\nSaid.\n\n- a'],
    ['a comment', ['.. Not', '   shown', '', 'Shown.'], 'Shown.'],
    ['an empty comment', ['..', '', '   Shown.'], 'Shown.'],
    ['a footnote', ['.. [1] The *first*', '   one.'], '[1] The *first*\none.'],
    ['text that Markdown would read as something else', ['a', '# b', '> c'], 'a\n\\# b\n\\> c'],
    ['the fields at the top', [':orphan:', '', ':tocdepth: 2', '', 'Text.'], 'Text.'],
  ])('converts %s', (_, lines, converted) => {
    expect(markdown(...lines)).toBe(converted);
  });
});

const MEGABYTE = 1_000_000;
const megabyteOf = (text: string): string => text.repeat(Math.ceil(MEGABYTE / text.length));

describe('readRst of hostile text', () => {
  it.each(
    [
      ['=', '`', '`` ', '`a ', '|a', '_', '\\', '`<', ':a:`', '[1]_', '.. ', '+-', '= ', '* ', '\t', '\0'],
    ].flat(),
  )('reads a megabyte of %j', (text) => {
    expect(readRst(`${megabyteOf(text)}\n\nEnd.`).blocks.at(-1)).toMatchObject({
      text: expect.stringContaining('End.'),
    });
  });

  it.each([
    '.. |a| replace::',
    '.. note::',
    '.. list-table::',
    '.. _a',
    '.. [1',
    '::',
    ':a:',
    '=====\nx',
    '+---+\n| a',
    '== ==\na',
    '>>>',
  ])('reads %j without an end', (text) => {
    expect(readRst(text).problems).toEqual([]);
  });

  it('keeps the text of lines that go deeper and deeper', () => {
    const lines = Array.from({ length: 1400 }, (_, depth) => `${' '.repeat(depth)}x${depth}`);
    expect(markdown(...lines)).toContain('x1399');
  });

  it('reads many tables without an end', () => {
    expect(markdown(megabyteOf('= =\nx\n\n'))).toMatch(/x$/);
  });
});
