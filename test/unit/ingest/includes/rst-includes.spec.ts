import { Inclusion } from '../../../../src/ingest/includes/inclusion.js';
import { expandRst } from '../../../../src/ingest/includes/rst-includes.js';

const CODE =
  'import os\n\n\ndef moor(boat):\n    """Ties a boat."""\n    return boat\n\n\nclass Berth:\n    def free(self):\n        return 1\n';
const FILES: Readonly<Record<string, string>> = {
  'conf.py': '',
  'shared/note.inc': 'First.\nSecond.\n.. start\nThird.\n.. end\nFourth.\n',
  'guide/near.inc': 'Near.\n',
  'guide/code.py': CODE,
  'guide/fees.csv': 'Berth,Fee\n1,2\n',
  'guide/a.constructor': 'x\n',
  'shared/outer.rst': '.. include:: inner.inc\n',
  'shared/inner.inc': 'Inner.\n',
  'loop-a.inc': '.. include:: loop-b.inc\n',
  'loop-b.inc': 'Round.\n\n.. include:: loop-a.inc\n',
};
const expand = (text: string) => {
  const inclusion = new Inclusion({ has: (path) => path in FILES, read: (path) => FILES[path] ?? null });
  const expanded = expandRst(text, { page: 'guide/page.rst', above: [], inclusion });
  return {
    text: expanded.trim(),
    missed: inclusion.missed.map(({ line, what, why }) => `${line}: ${what} ${why}`),
  };
};

describe('expandRst', () => {
  it.each([
    ['a file beside the page', '.. include:: near.inc', 'Near.'],
    ['a file from the root of the site', '.. include:: /guide/near.inc', 'Near.'],
    ['a file in another folder', '.. include:: ../guide/near.inc', 'Near.'],
    ['lines, from 0', '.. include:: ../shared/note.inc\n   :start-line: 1\n   :end-line: 2', 'Second.'],
    ['lines, from the end', '.. include:: ../shared/note.inc\n   :start-line: -1', 'Fourth.'],
    [
      'the text between two texts',
      '.. include:: ../shared/note.inc\n   :start-after: .. start\n   :end-before: .. end',
      'Third.',
    ],
    ['a file as it is', '.. include:: near.inc\n   :literal:', '.. code-block:: inc\n\n   Near.'],
    ['a file as code', '.. include:: near.inc\n   :code: text', '.. code-block:: text\n\n   Near.'],
    [
      'a table of values',
      '.. csv-table:: Fees\n   :file: fees.csv\n   :header-rows: 1',
      '.. csv-table:: Fees\n   :header-rows: 1\n\n   Berth,Fee\n   1,2',
    ],
    ['a file that includes another', '.. include:: /shared/outer.rst', 'Inner.'],
    [
      'lines of code',
      '.. literalinclude:: code.py\n   :lines: 1,9-10\n   :caption: Some lines',
      '.. code-block:: python\n   :caption: Some lines\n\n   import os\n   class Berth:\n       def free(self):',
    ],
    [
      'code between lines with texts',
      '.. literalinclude:: code.py\n   :language: py\n   :start-after: def moor\n   :end-before: return boat',
      '.. code-block:: py\n\n       """Ties a boat."""',
    ],
    [
      'code with the lines of the texts',
      '.. literalinclude:: code.py\n   :start-at: class\n   :end-at: free',
      '.. code-block:: python\n\n   class Berth:\n       def free(self):',
    ],
    [
      'a function',
      '.. literalinclude:: code.py\n   :pyobject: moor',
      '.. code-block:: python\n\n   def moor(boat):\n       """Ties a boat."""\n       return boat',
    ],
    [
      'a method',
      '.. literalinclude:: code.py\n   :pyobject: Berth.free',
      '.. code-block:: python\n\n       def free(self):\n           return 1',
    ],
    ['a file in a directive', '.. note::\n\n   .. include:: near.inc', '.. note::\n\n\n   Near.'],
    ['a file in a list', '- .. include:: near.inc\n- Other', '- Near.\n\n- Other'],
  ])('inserts %s', (_, text, expected) => {
    const { text: expanded, missed } = expand(text);
    expect(expanded.replace(/\n\n+/g, '\n\n')).toBe(expected.replace(/\n\n+/g, '\n\n'));
    expect(missed).toEqual([]);
  });

  it.each([
    ['outside of the folder', '../../near.inc', 'is outside of the folder'],
    ['missing', 'none.inc', 'is not among the files of the folder'],
    ['of docutils', '<isonum.txt>', 'is a file of docutils'],
    ['the page itself', 'page.rst', 'is not among the files of the folder'],
  ])('leaves and names a file that is %s', (_, target, why) => {
    expect(expand(`Text.\n\n.. include:: ${target}`)).toEqual({
      text: `Text.\n\n.. include:: ${target}`,
      missed: [`3: ${target} ${why}`],
    });
  });

  it('names a part that the file does not have', () => {
    const { missed } = expand('.. include:: near.inc\n   :start-after: none\n');
    expect(missed).toEqual(['1: near.inc does not have this part']);
  });

  it('takes no part with more than a hundred ranges of lines', () => {
    const ranges = (count: number) =>
      expand(`.. literalinclude:: code.py\n   :lines: ${Array(count).fill('1').join()}`);
    expect(ranges(100).text.match(/import os/g)).toHaveLength(100);
    expect(ranges(101).missed).toEqual(['1: code.py does not have this part']);
  });

  it('knows no language by a name that objects have', () => {
    expect(expand('.. literalinclude:: a.constructor').text).toBe('.. code-block:: constructor\n\n   x');
  });

  it('leaves an include behind more than a hundred spaces', () => {
    const page = (spaces: number) => `${' '.repeat(spaces)}.. include:: near.inc`;
    expect(expand(page(100)).text).toBe('Near.');
    expect(expand(page(101)).text).toBe(page(0));
  });

  it('leaves examples in code', () => {
    const text = '.. code-block:: rst\n\n   .. include:: near.inc\n\nAs in::\n\n   .. include:: near.inc';
    expect(expand(text)).toEqual({ text, missed: [] });
  });

  it('ends where files include each other', () => {
    expect(expand('.. include:: ../loop-a.inc')).toMatchObject({
      text: 'Round.\n\n.. include:: loop-a.inc',
      missed: ['0: loop-a.inc includes itself'],
    });
  });
});
